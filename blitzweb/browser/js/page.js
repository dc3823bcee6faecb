// What blitzweb asks of a document, in an isolated world of its own: a page can neither see nor change any of it.
// Installed once per document as `globalThis.blitzweb`; every function takes and returns JSON values, but for handles:
// numbers that stand for elements which `keep` has kept (weakly, so that the page's memory is its own).
(() => {
  "use strict";
  if (globalThis.blitzweb) return;
  const kept = [];
  const handles = new WeakMap(); // an element keeps its handle: it is itself, wherever it moves

  const keep = (element) => {
    let handle = handles.get(element);
    if (handle === undefined) handles.set(element, (handle = kept.push(new WeakRef(element)) - 1));
    return handle;
  };
  const get = (handle) => {
    const element = kept[handle]?.deref();
    if (!element || !element.isConnected) throw new Error("blitzweb: gone");
    return element;
  };

  // --- walking ------------------------------------------------------------------------------------------------------

  const closedRoots = new WeakMap(); // host → its closed shadow root, as far as the browser told us
  const rootOf = (element) => element.shadowRoot ?? closedRoots.get(element) ?? null;

  const roots = () => {
    const found = [document];
    for (let i = 0; i < found.length; i++) {
      for (const element of found[i].querySelectorAll("*")) {
        const root = rootOf(element);
        if (root) found.push(root);
      }
    }
    return found;
  };

  const parentOf = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;

  const isWithin = (node, ancestor) => {
    for (let at = node; at; at = parentOf(at)) if (at === ancestor) return true;
    return false;
  };

  const closest = (node, selector) => {
    for (let at = node; at; at = parentOf(at)) if (at.matches?.(selector)) return at;
    return null;
  };

  // The picture that an area of an image map lies on, and the part of the window that it takes there.
  const pictureOf = (area) => {
    const name = area.closest("map")?.name;
    if (!name) return null;
    return [...area.getRootNode().querySelectorAll("img[usemap]")].find((image) => image.useMap.replace(/^[^#]*#/u, "") === name) ?? null;
  };
  const boxOfArea = (area) => {
    const picture = pictureOf(area);
    if (!picture) return area.getBoundingClientRect();
    const { left, top, width, height } = picture.getBoundingClientRect(); // Chrome counts from there, border and all
    const numbers = (area.coords.match(/-?[\d.]+/gu) ?? []).map(Number);
    const [x, y, radius] = numbers;
    if (area.shape === "default" || numbers.length < 3) return new DOMRect(left, top, width, height);
    if (/^circ/iu.test(area.shape)) return new DOMRect(left + x - radius, top + y - radius, 2 * radius, 2 * radius);
    const across = numbers.filter((_, i) => i % 2 === 0), down = numbers.filter((_, i) => i % 2 === 1);
    const [from, over] = [Math.min(...across), Math.min(...down)];
    return new DOMRect(left + from, top + over, Math.max(...across) - from, Math.max(...down) - over);
  };

  const isVisible = (element) => {
    if (element.localName === "area") return pictureOf(element) !== null && isVisible(pictureOf(element));
    if (!element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) return false;
    return [...element.getClientRects()].some((box) => box.width > 0 && box.height > 0);
  };

  // --- words --------------------------------------------------------------------------------------------------------

  const collapse = (text) => (text ?? "").replace(/\s+/gu, " ").trim();
  const clip = (text, limit) => (text.length > limit ? `${text.slice(0, limit - 1)}…` : text);

  const BUTTON_TYPES = new Set(["button", "submit", "reset", "image"]);
  const isButtonInput = (element) => element.localName === "input" && BUTTON_TYPES.has(element.type);

  const wordsOf = (element) => {
    if (isButtonInput(element)) return collapse(element.value || element.alt || element.type);
    return collapse(element.innerText ?? element.textContent);
  };

  const nameOf = (element) =>
    clip(
      collapse(
        element.getAttribute("aria-label") || wordsOf(element) || element.getAttribute("title") ||
          element.getAttribute("alt") || element.getAttribute("placeholder"),
      ),
      80,
    );

  const describeElement = (element) => {
    const name = nameOf(element);
    const tag = element.localName + (element.id ? `#${element.id}` : "");
    return name ? `${tag} "${name}"` : tag;
  };

  // What stands beside an element: the row, list item or block around it, without its own words.
  const describePlace = (element) => {
    for (let at = parentOf(element); at && at !== document.body; at = parentOf(at)) {
      const around = collapse(at.innerText);
      if (around && around !== wordsOf(element)) return clip(around, 60);
    }
    return "";
  };

  // --- protected fields -----------------------------------------------------------------------------------------------

  const SECRET_TOKENS = /^(cc-.*|current-password|new-password|one-time-code)$/u;
  const SECRET_NAMES =
    /\b(card ?(number|no)|credit ?card|cc ?num(ber)?|cvc2?|cvv2?|csc|security code|expir(y|ation) ?date|one.?time (code|password)|passcode|passwor[dt]|passwort|iban)\b/iu;

  const labelsOf = (element) => [...(element.labels ?? [])].map((label) => collapse(label.textContent)).join(" ");

  const isProtected = (element) => {
    if (!["input", "textarea", "select"].includes(element.localName)) return false;
    if (element.type === "password") return true;
    const tokens = (element.getAttribute("autocomplete") ?? "").toLowerCase().split(/\s+/u);
    if (tokens.some((token) => SECRET_TOKENS.test(token))) return true;
    if (tokens.some((token) => token && token !== "on" && token !== "off")) return false;
    if (BUTTON_TYPES.has(element.type) || ["checkbox", "radio", "hidden"].includes(element.type)) return false;
    const spelled = [element.name, element.id].join(" ").replace(/([a-z])([A-Z])/gu, "$1 $2").replace(/[_\-.\[\]]+/gu, " ");
    const named = [element.getAttribute("aria-label"), labelsOf(element), element.getAttribute("placeholder"), spelled];
    return SECRET_NAMES.test(named.join(" | ").replace(/cardnumber/giu, "card number"));
  };

  const fields = () => roots().flatMap((root) => [...root.querySelectorAll("input, textarea, select")]);
  const secrets = () => fields().filter(isProtected).map((field) => field.value).filter((value) => value.length >= 4);

  // --- finding ------------------------------------------------------------------------------------------------------

  const TEXT_CANDIDATES = [
    "a", "button", "input", "label", "summary", "option", "li", "td", "th", "div", "span", "p", "h1", "h2", "h3", "h4", "h5",
    "h6", "[role=button]", "[role=link]", "[role=tab]", "[role=menuitem]", "[role=menuitemradio]", "[role=menuitemcheckbox]",
    "[role=checkbox]", "[role=radio]", "[role=combobox]", "[role=switch]", "[role=option]", "[role=treeitem]", "[role=textbox]",
    "[role=searchbox]", "[role=spinbutton]", "[role=slider]",
  ].join(",");
  const CONTROLS =
    "a[href],button,input,select,textarea,summary,label,[role=button],[role=link],[role=tab],[role=menuitem],[role=checkbox],[role=radio],[role=switch],[role=option]";

  const candidates = () =>
    roots().flatMap((root) => [...root.querySelectorAll(TEXT_CANDIDATES)]).filter(
      (element) => (element.localName !== "input" || isButtonInput(element)) && isVisible(element),
    );

  // Of elements that hold each other only the innermost counts; of several inside one control, the control.
  const distinct = (elements) => {
    const innermost = elements.filter((one) => !elements.some((other) => other !== one && isWithin(other, one)));
    const seen = new Set();
    return innermost.filter((element) => {
      const control = closest(element, CONTROLS) ?? element;
      if (seen.has(control)) return false;
      seen.add(control);
      return true;
    });
  };

  const findText = (wanted) => {
    const needle = collapse(wanted).toLowerCase();
    const all = candidates().map((element) => [element, wordsOf(element).toLowerCase()]);
    const exact = distinct(all.filter(([, words]) => words === needle).map(([element]) => element));
    const contained = exact.length
      ? []
      : distinct(all.filter(([, words]) => needle && words.includes(needle)).map(([element]) => element));
    const nearest = exact.length || contained.length ? [] : nearestTexts(needle, all);
    return { exact: told(exact), contained: told(contained), nearest };
  };

  const told = (elements) =>
    elements.slice(0, 20).map((element) => ({
      handle: keep(element),
      element: describeElement(element),
      place: describePlace(element),
    }));

  // The texts that share most words with what was looked for, so that a slip of the pen is quickly mended.
  const nearestTexts = (needle, all) => {
    const words = new Set(needle.split(" "));
    const scored = all
      .filter(([element, text]) => text && text.length <= 80 && element.matches(CONTROLS))
      .map(([, text]) => [text.split(" ").filter((word) => words.has(word)).length + (text[0] === needle[0] ? 0.5 : 0), text]);
    scored.sort((a, b) => b[0] - a[0]);
    return [...new Set(scored.map(([, text]) => text))].slice(0, 5);
  };

  const findCss = (selector) => {
    const all = roots().flatMap((root) => [...root.querySelectorAll(selector)]);
    const visible = all.filter(isVisible);
    const first = visible[0] ?? all.find((element) => element.localName === "option") ?? null;
    return { count: all.length, visible: visible.length, found: first ? told([first])[0] : null, hidden: all.length ? told([all[0]])[0] : null };
  };

  const find = (selector) => {
    const text = /^\s*text=(.*)$/su.exec(selector);
    if (text) return findText(text[1]);
    try {
      return findCss(selector);
    } catch (error) {
      return { invalid: String(error.message ?? error) };
    }
  };

  // --- where to click -------------------------------------------------------------------------------------------------

  const boxOf = (element) => {
    if (element.localName === "area") return boxOfArea(element);
    const boxes = [...element.getClientRects()].filter((box) => box.width > 0 && box.height > 0);
    return boxes.sort((a, b) => b.width * b.height - a.width * a.height)[0] ?? element.getBoundingClientRect();
  };

  const isInView = (box) =>
    box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth && box.width > 0;

  const scrollTo = (element) => {
    const shown = element.localName === "area" ? pictureOf(element) ?? element : element;
    if (!isInView(boxOf(element))) shown.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  };

  const topmostAt = (x, y) => {
    let top = document.elementFromPoint(x, y);
    while (top && rootOf(top)) {
      const inner = rootOf(top).elementFromPoint(x, y);
      if (!inner || inner === top) break;
      top = inner;
    }
    return top;
  };

  const gets = (element, top) =>
    top !== null && (isWithin(top, element) || closest(top, "label")?.control === element || isInside(element, top));
  // An inline element's centre may fall between its lines, on the block that holds nothing else.
  const isInside = (element, top) => isWithin(element, top) && closest(element, CONTROLS) === closest(top, CONTROLS) && getComputedStyle(element).display === "inline" && top === element.parentElement && wordsOf(top) === wordsOf(element);

  // Scrolls to an element and says where to click it, and what would get the click instead.
  const aim = (handle) => {
    const element = get(handle);
    scrollTo(element);
    const box = boxOf(element);
    const x = Math.min(Math.max(box.left + box.width / 2, 0), innerWidth - 1);
    const y = Math.min(Math.max(box.top + box.height / 2, 0), innerHeight - 1);
    const top = topmostAt(x, y);
    return {
      x, y, width: box.width, height: box.height,
      cover: gets(element, top) ? null : describeCover(top),
      disabled: element.matches(":disabled"),
      element: describeElement(element),
      file: element.localName === "input" && element.type === "file",
    };
  };

  const describeCover = (top) => {
    if (!top) return { element: "nothing: it is outside the window", closers: [] };
    const layer = [...ancestors(top)].reverse().find((one) => ["fixed", "absolute", "sticky"].includes(getComputedStyle(one).position));
    const cover = layer ?? top;
    const closers = [...cover.querySelectorAll("button, a[href], [role=button], input[type=button], input[type=submit]")]
      .filter(isVisible).slice(0, 3).map((one) => nameOf(one)).filter(Boolean);
    return { element: describeElement(cover), closers };
  };

  const ancestors = function* (element) {
    for (let at = element; at; at = parentOf(at)) yield at;
  };

  // Where the viewport of a frame begins in the document around it, and whether something covers that point.
  const frameAt = (element, x, y) => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const left = box.left + element.clientLeft + parseFloat(style.paddingLeft);
    const top = box.top + element.clientTop + parseFloat(style.paddingTop);
    const hit = topmostAt(left + x, top + y);
    return { x: left + x, y: top + y, cover: hit === element ? null : describeCover(hit) };
  };

  // --- fields -------------------------------------------------------------------------------------------------------

  const TEXTLESS = new Set(["checkbox", "radio", "file", "color", "range", "button", "submit", "reset", "image", "hidden"]);
  const isEditable = (element) => element.isContentEditable || element.localName === "textarea" ||
    (element.localName === "input" && !TEXTLESS.has(element.type));

  // The field that typing into an element would reach: itself, a label's control, or the only field inside it.
  const fieldOf = (element) => {
    if (isEditable(element) || element.localName === "select" || element.localName === "input") return element;
    if (element.localName === "label" && element.control) return element.control;
    const inner = [...element.querySelectorAll("input, textarea, [contenteditable=''], [contenteditable=true]")].filter((one) => isEditable(one) && isVisible(one));
    return inner.length === 1 ? inner[0] : element;
  };

  // Focuses a field and selects what typing is to replace; says what it is, or why nothing can be typed there.
  const focusField = (handle, append) => {
    const element = fieldOf(get(handle));
    const about = { element: describeElement(element), protected: isProtected(element), handle: keep(element) };
    if (element.matches(":disabled")) return { ...about, refused: "it is disabled" };
    if (element.readOnly) return { ...about, refused: "it is read-only" };
    if (!isEditable(element)) return { ...about, refused: element.localName === "select" ? "it is a list: use select" : "it takes no text" };
    scrollTo(element);
    element.focus({ preventScroll: true });
    selectForTyping(element, append);
    return { ...about, focused: element.getRootNode().activeElement === element || element.isContentEditable, empty: !valueOf(element) };
  };

  const selectForTyping = (element, append) => {
    if (element.isContentEditable) {
      const range = document.createRange();
      range.selectNodeContents(element);
      if (append) range.collapse(false);
      const selection = getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
      return;
    }
    if (!append) return element.select();
    try {
      element.setSelectionRange(element.value.length, element.value.length);
    } catch {
      // Types without a selection, such as number: the key End puts the caret there.
    }
  };

  const valueOf = (element) => (element.isContentEditable ? element.innerText : element.value) ?? "";
  const fieldValue = (handle) => {
    const element = get(handle);
    return { value: valueOf(element), protected: isProtected(element), maxLength: element.maxLength > 0 ? element.maxLength : null };
  };
  const commit = (handle) => {
    const element = get(handle);
    if (!element.isContentEditable) element.dispatchEvent(new Event("change", { bubbles: true }));
  };

  const optionsOf = (element) =>
    [...element.options].map((option) => ({ value: option.value, label: collapse(option.label || option.text), disabled: option.disabled || option.parentElement.disabled === true }));

  // Chooses options of a list by exact value, else by trimmed text; all of them, or none and why.
  const choose = (handle, wanted) => {
    const element = fieldOf(get(handle));
    const about = { element: describeElement(element) };
    if (element.localName !== "select") return { ...about, refused: "it is no list of options" };
    if (element.matches(":disabled")) return { ...about, refused: "it is disabled" };
    if (wanted.length > 1 && !element.multiple) return { ...about, refused: "it takes one option only" };
    const options = optionsOf(element);
    const picked = [];
    for (const one of wanted) {
      let found = options.flatMap((option, i) => (option.value === one ? [i] : []));
      if (!found.length) found = options.flatMap((option, i) => (option.label === collapse(one) ? [i] : []));
      if (found.length !== 1) {
        return { ...about, missing: one, several: found.length > 1, options: options.slice(0, 20).map((option) => option.label), total: options.length };
      }
      if (options[found[0]].disabled) return { ...about, refused: `its option "${one}" is disabled` };
      picked.push(found[0]);
    }
    const before = [...element.selectedOptions].map((option) => option.index).join();
    [...element.options].forEach((option, i) => { option.selected = picked.includes(i); });
    if (before !== [...element.selectedOptions].map((option) => option.index).join()) {
      element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
      element.dispatchEvent(new Event("change", { bubbles: true }));
    }
    return { ...about, chosen: [...element.selectedOptions].map((option) => collapse(option.label || option.text)) };
  };

  // --- reading ------------------------------------------------------------------------------------------------------

  // Cut here, so that a page of any size costs what is shown of it. `bytes` are of UTF-8.
  const cut = (text, bytes) => {
    if (text.length * 3 <= bytes) return { text, truncated: false };
    const encoded = new TextEncoder().encode(text.slice(0, bytes));
    if (encoded.length <= bytes && text.length <= bytes) return { text, truncated: false };
    let end = Math.min(bytes, encoded.length);
    while (end > 0 && (encoded[end] & 0xc0) === 0x80) end--;
    return { text: new TextDecoder().decode(encoded.subarray(0, end)), truncated: true };
  };

  const read = (handle, bytes) => {
    const element = handle === null ? document.body ?? document.documentElement : get(handle);
    if (!element) return { text: "", truncated: false };
    const text = element.localName === "input" || element.localName === "textarea"
      ? (isProtected(element) ? "" : element.value)
      : element.innerText ?? element.textContent;
    return cut(text ?? "", bytes);
  };

  const html = (handle, bytes) => {
    const element = handle === null ? document.documentElement : get(handle);
    if (!element) return { text: "", truncated: false };
    return cut(withoutSecrets(element), bytes);
  };

  const withoutSecrets = (element) => {
    const within = [element, ...element.querySelectorAll("input, textarea, select")];
    if (!within.some((field) => field.matches?.("input, textarea, select") && isProtected(field))) return element.outerHTML;
    const copy = element.cloneNode(true);
    const copies = [copy, ...copy.querySelectorAll("input, textarea, select")];
    within.forEach((field, i) => {
      if (!field.matches?.("input, textarea, select") || !isProtected(field)) return;
      if (copies[i].hasAttribute("value")) copies[i].setAttribute("value", "");
      if (field.localName === "textarea") copies[i].textContent = "";
    });
    return copy.outerHTML;
  };

  const describe = () => ({ title: collapse(document.title), url: location.href, secrets: secrets(), ready: document.readyState });

  const scrollBy = (handle, dx, dy) => {
    if (handle !== null) get(handle).scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    if (dx || dy) (scrollableAt(handle) ?? document.scrollingElement ?? document.documentElement).scrollBy({ left: dx, top: dy, behavior: "instant" });
    const page = document.scrollingElement ?? document.documentElement;
    return { x: Math.round(scrollX), y: Math.round(scrollY), width: page.scrollWidth, height: page.scrollHeight, viewHeight: innerHeight };
  };

  const scrollableAt = (handle) => {
    if (handle === null) return null;
    for (const at of ancestors(get(handle))) if (at.scrollHeight > at.clientHeight && /auto|scroll/u.test(getComputedStyle(at).overflowY)) return at;
    return null;
  };

  const hasText = (wanted) => collapse(document.body?.innerText).toLowerCase().includes(collapse(wanted).toLowerCase());

  // Resolves when the document has changed, or after some milliseconds.
  const untilChanged = (milliseconds) =>
    new Promise((done) => {
      const end = () => {
        observer.disconnect();
        clearTimeout(timer);
        done(true);
      };
      const observer = new MutationObserver(end);
      const timer = setTimeout(end, milliseconds);
      for (const root of roots()) observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    });

  const isTimeZone = (name) => {
    try {
      return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
    } catch {
      return false;
    }
  };

  // Resolves when the animations that run have ended, or after some milliseconds: covers come and go with them.
  const stilled = (milliseconds) =>
    Promise.race([
      Promise.allSettled(document.getAnimations().filter((one) => one.playState === "running").map((one) => one.finished)),
      new Promise((done) => setTimeout(done, milliseconds)),
    ]).then(() => true);

  const timings = () =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map((entry) => ({
      url: entry.name, kind: entry.initiatorType, status: entry.responseStatus ?? 0, bytes: entry.transferSize,
    }));

  const fileInput = (handle) => {
    const element = get(handle);
    if (element.localName === "input" && element.type === "file") return element;
    if (element.localName === "label" && element.control?.type === "file") return element.control;
    const inner = [...element.querySelectorAll("input[type=file]")];
    return inner.length === 1 ? inner[0] : null;
  };

  const boxInPage = (handle) => {
    const element = get(handle);
    scrollTo(element);
    const box = element.getBoundingClientRect();
    return { x: box.left + scrollX, y: box.top + scrollY, scrollX, scrollY, width: box.width, height: box.height };
  };

  const focusElement = (handle) => {
    const element = fieldOf(get(handle));
    scrollTo(element);
    element.focus({ preventScroll: true });
  };

  const functions = { find, aim, focusElement, focusField, fieldValue, commit, choose, read, html, describe, scrollBy, hasText, isTimeZone, timings, boxInPage };
  globalThis.blitzweb = { stilled, closedRoots, rootOf, untilChanged, call: (name, args) => functions[name](...args), functions, get, keep, roots, frameAt, fileInput, isVisible, isProtected, isWithin, parentOf, closest, collapse, clip, cut, wordsOf, labelsOf, secrets, describeElement, aim, fieldOf, valueOf, isEditable, optionsOf, ancestors, boxOf, pictureOf, topmostAt, gets };
})();
