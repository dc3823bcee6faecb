// The digest of one document: what a person could use in it, in page order, and the text that a person sees.
// Installed into the isolated world after page.js. Roles, names and protection are read here, where the page
// can change none of it; layout is read first and written never.
(() => {
  "use strict";
  const kit = globalThis.blitzweb;
  if (kit.digest) return;
  const { closedRoots, rootOf, collapse, clip, keep, get, parentOf, closest, isProtected } = kit;

  const NAME_CHARS = 80;
  const VALUE_CHARS = 40;
  const OPTIONS = 10;
  const ROLES = new Set([
    "button", "link", "tab", "menuitem", "menuitemradio", "menuitemcheckbox", "checkbox", "radio", "combobox", "switch",
    "option", "treeitem", "textbox", "searchbox", "spinbutton", "slider",
  ]);
  const NATIVE = new Set(["button", "select", "textarea"]);
  const isSummary = (element) => element.localName === "summary" && element.parentElement?.localName === "details";

  // --- what is seen -------------------------------------------------------------------------------------------------

  // One pass looks at each element once: what is asked again comes from these tables, which live as long as the pass.
  const makeView = () => {
    const styles = new Map();
    const boxes = new Map();
    const clips = new Map();
    const style = (element) => {
      let found = styles.get(element);
      if (!found) styles.set(element, (found = getComputedStyle(element)));
      return found;
    };
    const box = (element) => {
      let found = boxes.get(element);
      if (!found) boxes.set(element, (found = element.localName === "area" ? kit.boxOf(element) : element.getBoundingClientRect()));
      return found;
    };
    // The part of the page that an element's contents can be seen and used in: null for "nothing of it", undefined for
    // all of it. What an element inherits is asked of its parent once, however many elements are inside.
    const clipOf = (element) => {
      if (!element) return undefined;
      if (clips.has(element)) return clips.get(element);
      const outer = element === document.documentElement ? undefined : clipOf(parentOf(element));
      const mine = outer === null || element.hasAttribute("inert") ? null : clipBy(element, outer);
      clips.set(element, mine);
      return mine;
    };
    const clipBy = (element, outer) => {
      if (element === document.documentElement || element === document.body) return outer;
      const { clipPath, clip, overflow } = style(element);
      if (clipPath !== "none" && /^inset\((?:50|100)%|^circle\(0|^rect\(0px,? 0px,? 0px,? 0px/u.test(clipPath)) return null;
      if (clip !== "auto" && /^rect\((?:0px|1px|auto),? (?:0px|1px),? (?:0px|1px),? (?:0px|1px)\)/u.test(clip)) return null;
      if (overflow === "visible" || !/hidden|clip/u.test(overflow) || /scroll|auto/u.test(overflow)) return outer;
      const own = box(element);
      const mine = outer === undefined ? own : intersect(outer, own);
      return mine.width < 2 || mine.height < 2 ? null : mine;
    };
    return { style, box, clipOf, shown: new Map(), legible: new Map(), left: scrollX, top: scrollY };
  };

  const intersect = (a, b) => {
    const left = Math.max(a.left, b.left), top = Math.max(a.top, b.top);
    const right = Math.min(a.right, b.right), bottom = Math.min(a.bottom, b.bottom);
    return { left, top, right, bottom, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
  };

  const isShown = (element, view) => {
    let shown = view.shown.get(element);
    if (shown === undefined) view.shown.set(element, (shown = seeIfShown(element, view)));
    return shown;
  };

  const seeIfShown = (element, view) => {
    if (element.localName === "area") {
      const picture = kit.pictureOf(element);
      return picture !== null && isShown(picture, view) && view.box(element).width >= 2 && view.box(element).height >= 2;
    }
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) return false;
    const css = view.style(element);
    if (css.display === "contents") return [...element.children].some((child) => isShown(child, view));
    const box = view.box(element);
    if (box.width < 2 || box.height < 2) {
      // An empty box may still have children outside of it: a link around a floated picture.
      return ![...element.children].every((child) => !isShown(child, view)) && element.children.length > 0;
    }
    if (box.right + view.left <= 0 || box.bottom + view.top <= 0) return false; // beyond where anybody can scroll
    if (css.fontSize === "0px" && !element.querySelector("img, svg, canvas, input") && !element.matches("input, select, textarea")) return false;
    const clip = view.clipOf(parentOf(element));
    if (clip === null) return false;
    if (clip !== undefined) {
      const seen = intersect(box, clip);
      if (seen.width < 1 || seen.height < 1) return false;
    }
    return view.clipOf(element) !== null;
  };

  // --- finding ------------------------------------------------------------------------------------------------------

  const roleOf = (element) => {
    const role = (element.getAttribute("role") ?? "").trim().toLowerCase().split(/\s+/u)[0];
    return ROLES.has(role) ? role : "";
  };

  const isSemantic = (element) => {
    const tag = element.localName;
    if (tag === "a" || tag === "area") return element.hasAttribute("href") || roleOf(element) !== "";
    if (NATIVE.has(tag) || isSummary(element)) return true;
    if (tag === "input") return element.type !== "hidden";
    return roleOf(element) !== "" || isEditingHost(element);
  };

  const isEditingHost = (element) => element.isContentEditable && !(element.parentElement?.isContentEditable ?? false);

  const listens = new WeakSet(); // elements with click listeners of their own, as far as the browser told us

  // Elements that are used by clicking although nothing says what they are.
  const isClickable = (element, view) => {
    if (element === document.documentElement || element === document.body) return false;
    if (element.hasAttribute("onclick") || listens.has(element)) return true;
    const tabindex = element.getAttribute("tabindex");
    if (tabindex !== null && Number.parseInt(tabindex, 10) >= 0 && !isScroller(element, view)) return true;
    if (view.style(element).cursor !== "pointer") return false;
    const parent = parentOf(element);
    return !parent || view.style(parent).cursor !== "pointer";
  };

  const isScroller = (element, view) => /auto|scroll/u.test(view.style(element).overflowY) && element.scrollHeight > element.clientHeight;

  // Everything in page order: shadow trees in the place of their hosts, what is slotted where it is shown.
  const walk = (node, into = []) => {
    for (const element of node.querySelectorAll("*")) {
      into.push(element);
      const root = rootOf(element);
      if (root) walk(root, into);
    }
    return into;
  };

  const SKIPPED = new Set(["script", "style", "template", "noscript", "head", "meta", "link", "title", "br", "option", "optgroup", "source", "track", "param", "base"]);

  const findAll = (view) => {
    const found = [];
    const owners = new Map(); // control that a hidden checkbox or radio is used through → that checkbox or radio
    for (const element of walk(document)) {
      if (SKIPPED.has(element.localName)) continue;
      if (element.localName === "iframe" || element.localName === "frame") {
        if (isShown(element, view)) found.push({ element, kind: "frame" });
        continue;
      }
      const semantic = isSemantic(element);
      if (!semantic && !isClickable(element, view)) continue;
      if (!semantic && closest(parentOf(element), "button, a[href], summary, [role=button], [role=link], [role=tab], [role=menuitem], [role=option]") && !listens.has(element) && !element.hasAttribute("onclick")) continue;
      if (isShown(element, view)) {
        found.push({ element, kind: semantic ? "semantic" : "generic" });
      } else if (element.localName === "input" && (element.type === "checkbox" || element.type === "radio" || element.type === "file")) {
        const label = [...(element.labels ?? [])].find((one) => isShown(one, view));
        if (label && !owners.has(label)) {
          owners.set(label, element);
          found.push({ element, kind: "semantic", through: label });
        }
      }
    }
    return tidy(found, owners, view);
  };

  // Leaves out what only repeats: labels of controls that are listed, boxes around one control, text inside one.
  const tidy = (found, owners, view) => {
    const listed = new Set(found.filter((one) => one.kind === "semantic").map((one) => one.element));
    const inside = new Map(); // generic element → what is listed inside it
    for (const one of found) {
      if (one.kind === "frame") continue;
      for (let at = parentOf(one.element); at; at = parentOf(at)) {
        if (!inside.has(at)) inside.set(at, []);
        inside.get(at).push(one);
      }
    }
    return found.filter((one) => {
      if (one.kind !== "generic") return true;
      const { element } = one;
      if (element.localName === "label" && (owners.has(element) || (element.control && listed.has(element.control)))) return false;
      const label = closest(element, "label");
      if (label?.control && (listed.has(label.control) || owners.get(label) === label.control)) return false;
      const children = (inside.get(element) ?? []).filter((child) => child.element !== element);
      if (!children.length) return collapse(element.innerText) !== "" || hasOwnLook(element, view);
      const own = collapse(element.innerText);
      const theirs = children.map((child) => collapse((child.through ?? child.element).innerText)).join(" ");
      return own.replaceAll(" ", "") !== theirs.replaceAll(" ", "") && (listens.has(element) || element.hasAttribute("onclick"));
    });
  };

  const hasOwnLook = (element, view) => {
    const css = view.style(element);
    return css.backgroundImage !== "none" || css.backgroundColor !== "rgba(0, 0, 0, 0)" || css.borderTopWidth !== "0px" ||
      element.querySelector("img, svg, canvas, i, span") !== null || /^(img|svg|canvas|i)$/u.test(element.localName) || css.content !== "normal" ||
      element.getAttribute("aria-label") !== null || element.getAttribute("title") !== null;
  };

  // --- names --------------------------------------------------------------------------------------------------------

  // Zero-width and tag characters carry words that a person does not see.
  const INVISIBLE = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;
  const clean = (text) => collapse((text ?? "").replace(INVISIBLE, ""));

  const referenced = (element, attribute) => {
    const ids = (element.getAttribute(attribute) ?? "").split(/\s+/u).filter(Boolean);
    const root = element.getRootNode();
    return clean(ids.map((id) => root.getElementById?.(id)).filter(Boolean).map((one) => one.innerText ?? one.textContent).join(" "));
  };

  const TEXT_INPUTS = new Set(["checkbox", "radio", "button", "submit", "reset", "image", "range", "color", "file"]);
  const isButtonInput = (element) => element.localName === "input" && ["button", "submit", "reset", "image"].includes(element.type);

  const ownWords = (element) => {
    if (isButtonInput(element)) return clean(element.value || element.alt) || { submit: "Submit", reset: "Reset" }[element.type] || "";
    if (["input", "select", "textarea"].includes(element.localName)) return "";
    const words = clean(element.innerText);
    if (words) return words;
    const pictures = [...element.querySelectorAll("img[alt], svg title, [aria-label]")];
    return clean(pictures.map((one) => one.getAttribute?.("alt") ?? one.getAttribute?.("aria-label") ?? one.textContent).join(" "));
  };

  const labelWords = (element) =>
    clean([...(element.labels ?? [])].map((label) => {
      const copy = label.cloneNode(true);
      for (const inner of copy.querySelectorAll("select, textarea, script, style")) inner.remove();
      return (label.contains(element) ? copy.textContent : label.innerText) || copy.textContent;
    }).join(" "));

  const nameOf = (element) => {
    const editable = element.isContentEditable;
    const steps = [
      () => referenced(element, "aria-labelledby"),
      () => clean(element.getAttribute("aria-label")),
      () => labelWords(element),
      () => (["img", "area", "input"].includes(element.localName) ? clean(element.getAttribute("alt")) : ""),
      () => (editable ? "" : ownWords(element)),
      () => clean(element.getAttribute("title")),
      () => clean(element.getAttribute("placeholder") ?? element.getAttribute("aria-placeholder") ?? element.dataset?.placeholder),
    ];
    for (const step of steps) {
      const name = step();
      if (name) return { name: clip(name, NAME_CHARS), inferred: false };
    }
    const name = inferName(element);
    return { name: clip(name, NAME_CHARS), inferred: name !== "" };
  };

  const isField = (element) => ["input", "select", "textarea"].includes(element.localName) && !isButtonInput(element) || element.isContentEditable;

  const inferName = (element) => (isField(element) ? textNear(element) || cellHead(element) : "") || iconWords(element) || (isField(element) ? spelled(element.name || element.id) : "");

  // The words nearest to a field: before it, or after it where only those are beside it.
  const textNear = (element) => {
    for (let at = element, steps = 0; at && steps < 3; at = at.parentElement, steps++) {
      const before = wordsBeside(at, "previousSibling");
      const after = wordsBeside(at, "nextSibling");
      const later = element.type === "checkbox" || element.type === "radio";
      const words = later ? after || before : before || after;
      if (words) return words.replace(/[\s:*]+$/u, "");
      if (at.parentElement?.matches("td, th, form, body, fieldset, tr")) break;
    }
    return "";
  };

  const wordsBeside = (element, side) => {
    for (let node = element[side]; node; node = node[side]) {
      if (node.nodeType === Node.TEXT_NODE) {
        const words = clean(node.nodeValue);
        if (words) return words.length <= NAME_CHARS ? words : "";
      } else if (node.nodeType === Node.ELEMENT_NODE) {
        if (node.matches("input, select, textarea, button, a")) return "";
        const words = clean(node.innerText);
        if (words) return words.length <= NAME_CHARS && !node.querySelector("input, select, textarea, button") ? words : "";
      }
    }
    return "";
  };

  const cellHead = (element) => {
    const cell = closest(element, "td");
    const row = cell?.parentElement;
    const table = closest(element, "table");
    if (!cell || !row || !table) return "";
    const rowHead = clean((row.querySelector("th") ?? [...row.cells].find((one) => one !== cell && clean(one.innerText)))?.innerText);
    const columnHead = clean(table.rows[0] !== row ? table.rows[0]?.cells[cell.cellIndex]?.innerText : "");
    return [rowHead, columnHead].filter(Boolean).join(" ");
  };

  const NOISE = /^(icon|icons|ico|svg|img|image|btn|button|fa|fas|far|fab|glyphicon|material|symbols?|outlined|mdi|bi|lucide|sm|md|lg|xl|small|large|primary|secondary|default|active|wrapper|inner|container|d|w|h|mr|ml|mt|mb|px|py|p|m|flex|clickable|pointer|action|link|\d+)$/iu;
  const spelled = (text) => clean((text ?? "").replace(/([a-z])([A-Z])/gu, "$1 $2").replace(/[_\-./[\]]+/gu, " ")).toLowerCase();

  const iconWords = (element) => {
    const icon = element.matches("img, svg, i") ? element : element.querySelector("img, svg, i, span[class*=icon], use");
    for (const one of [icon, icon?.querySelector?.("use"), element].filter(Boolean)) {
      const source = one.getAttribute("src") ?? one.getAttribute("href") ?? one.getAttribute("xlink:href") ?? "";
      const file = spelled(/([^/#]+?)(?:\.\w+)?(?:\?.*)?$/u.exec(source)?.[1]?.slice(0, 40));
      const classes = String(one.getAttribute("class") ?? "").split(/\s+/u).flatMap((word) => word.split(/[-_]+|(?<=[a-z])(?=[A-Z])/u)).filter((word) => word && !NOISE.test(word));
      const words = [spelled(one.getAttribute("data-icon")), source.startsWith("data:") ? "" : file, spelled(one.id), [...new Set(classes)].slice(0, 3).join(" ").toLowerCase()].find(Boolean);
      if (words) return words;
    }
    return "";
  };

  // --- states and values ----------------------------------------------------------------------------------------------

  const truth = (element, attribute) => {
    const value = element.getAttribute(attribute);
    return value === "true" ? true : value === "false" ? false : null;
  };

  const isCheckable = (element) => (element.localName === "input" && ["checkbox", "radio"].includes(element.type)) || ["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"].includes(roleOf(element));

  const statesOf = (element) => {
    const states = [];
    if (isCheckable(element)) states.push((element.localName === "input" ? element.checked : truth(element, "aria-checked")) ? "checked" : "unchecked");
    if (element.matches(":disabled") || truth(element, "aria-disabled")) states.push("disabled");
    if (element.readOnly || truth(element, "aria-readonly")) states.push("readonly");
    const expanded = element.localName === "summary" ? element.parentElement?.open ?? null : truth(element, "aria-expanded");
    if (expanded !== null) states.push(expanded ? "expanded" : "collapsed");
    if (truth(element, "aria-selected") || (truth(element, "aria-pressed") ?? false) || (element.getAttribute("aria-current") ?? "false") !== "false") states.push("selected");
    if (element.required || truth(element, "aria-required")) states.push("required");
    if (truth(element, "aria-invalid") || (element.willValidate && element.value && !element.validity?.valid)) states.push("invalid");
    if (element === element.getRootNode().activeElement && element !== document.body && document.hasFocus()) states.push("focused");
    return states;
  };

  const valueOf = (element) => {
    if (isProtected(element)) return null;
    if (element.localName === "select") return element.multiple ? [...element.selectedOptions].map((one) => clean(one.label)).join(", ") : clean(element.selectedOptions[0]?.label);
    if (element.localName === "input") return TEXT_INPUTS.has(element.type) && element.type !== "range" && element.type !== "color" ? (element.type === "file" ? [...element.files].map((one) => one.name).join(", ") : null) : element.value;
    if (element.localName === "textarea") return element.value;
    if (isEditingHost(element)) return element.innerText.replace(/\n$/u, "");
    return element.getAttribute("aria-valuetext") ?? element.getAttribute("aria-valuenow");
  };

  const labelOf = (element) => {
    const tag = element.localName;
    const role = roleOf(element);
    if ((tag === "a" || tag === "area") && element.hasAttribute("href") && !role) return ["link", null];
    if (tag === "input") return ["input", element.type === "text" ? null : element.type];
    if (NATIVE.has(tag)) return role && role !== tag ? [role, null] : [tag, null];
    if (role) return [role, null];
    if (isEditingHost(element)) return ["editable", null];
    return [tag, null];
  };

  const hrefOf = (element) => {
    const href = clean(element.getAttribute("href"));
    if (!href || href.startsWith("#") || /^javascript:/iu.test(href)) return null;
    return clip(href, 80);
  };

  const describe = (one) => {
    const { element } = one;
    const [role, type] = labelOf(element);
    const { name, inferred } = one.through && !nameOf(element).name ? { name: clip(clean(one.through.innerText), NAME_CHARS), inferred: false } : nameOf(element);
    const value = valueOf(element);
    const item = { role, type, name, inferred, href: hrefOf(element), states: statesOf(element), protected: isProtected(element) };
    if (value !== null && value !== "") {
      item.value = clip(value, VALUE_CHARS);
      item.length = value.length;
    }
    if (element.localName === "select") {
      const options = kit.optionsOf(element);
      item.options = options.slice(0, OPTIONS).map((option) => clip(clean(option.label), VALUE_CHARS));
      item.moreOptions = Math.max(0, options.length - OPTIONS);
    }
    return item;
  };

  // --- the digest -----------------------------------------------------------------------------------------------------

  // Everything that is found, as handles; where each is in the window says what is worth listing first. Where no frame
  // is inside, what would be listed of it is told at once, and the beginning of the text.
  const collect = (limit, textLimit) => {
    const view = makeView();
    const found = findAll(view);
    const elements = found.map((one) => {
      const box = view.box(one.through ?? one.element);
      const mark = box.bottom < 0 ? "before" : box.top > innerHeight ? "after" : "here";
      return [keep(one.element), one.kind === "frame" ? "frame" : mark, one.through ? keep(one.through) : null];
    });
    const begin = beginOf(elements, limit);
    const told = elements.some((one) => one[1] === "frame") ? [] : found.slice(begin, begin + limit).map(describe);
    return { elements, begin, told, text: textOf(view, textLimit) };
  };

  // The first to list: all, or as many as are wanted from the window on.
  const beginOf = (elements, limit) => {
    if (elements.length <= limit) return 0;
    const first = elements.findIndex((one) => one[1] !== "before");
    return Math.min(Math.max(first, 0), elements.length - limit);
  };

  const tell = (handles) =>
    handles.map(([handle, through]) => {
      try {
        return describe({ element: get(handle), through: through === null ? null : get(through) });
      } catch {
        return null; // it went away while we looked
      }
    });

  // The beginning of what a person sees, blanks collapsed; `total` counts all of it.
  const textOf = (view, limit) => {
    let text = "";
    let total = 0;
    visitTexts(document.body, view, (words) => {
      total += words.length + (total ? 1 : 0);
      if (text.length < limit) text += (text ? " " : "") + words;
    });
    return { text: text.slice(0, limit), total };
  };

  const TEXTLESS = new Set(["script", "style", "template", "noscript", "head", "select", "textarea", "svg", "canvas", "iframe", "object", "video", "audio"]);

  // Tells each text that a person can see, with the element that holds it.
  const visitTexts = (node, view, tell) => {
    for (let child = node?.firstChild; child; child = child.nextSibling) visitText(child, view, tell);
  };

  const visitText = (node, view, tell) => {
    if (node.nodeType === Node.TEXT_NODE) tellText(node, view, tell);
    else if (node.nodeType === Node.ELEMENT_NODE && !TEXTLESS.has(node.localName)) visitTextsOf(node, view, tell);
  };

  const visitTextsOf = (element, view, tell) => {
    const root = rootOf(element);
    if (root) visitTexts(root, view, tell);
    else if (element.localName !== "slot" || !element.assignedNodes().length) visitTexts(element, view, tell);
    else {
      for (const slotted of element.assignedNodes()) {
        if (slotted.nodeType !== Node.TEXT_NODE) visitText(slotted, view, tell);
        else if (clean(slotted.nodeValue)) tell(clean(slotted.nodeValue), element);
      }
    }
  };

  const tellText = (text, view, tell) => {
    const holder = text.parentElement ?? text.parentNode?.host ?? null;
    if (holder?.localName === "details" && !holder.open) return;
    const words = clean(text.nodeValue);
    if (words && (!holder || isLegible(holder, view))) tell(words, holder);
  };

  const isLegible = (element, view) => {
    let legible = view.legible.get(element);
    if (legible === undefined) view.legible.set(element, (legible = isShown(element, view) && Number.parseFloat(view.style(element).fontSize) >= 2));
    return legible;
  };

  // --- finding text -----------------------------------------------------------------------------------------------------

  // Where a text stands, and which of some elements are nearest to each place.
  const findText = (pattern, handles, limit) => {
    const needle = clean(pattern).toLowerCase();
    const view = makeView();
    const elements = handles.map((handle) => {
      try {
        return get(handle);
      } catch {
        return null;
      }
    });
    const blocks = new Set();
    const matches = [];
    let total = 0;
    visitTexts(document.body, view, (_words, holder) => {
      const block = blockOf(holder, view);
      if (blocks.has(block)) return;
      blocks.add(block);
      const words = clean(block.innerText);
      const lower = words.toLowerCase();
      for (let at = lower.indexOf(needle); at >= 0; at = lower.indexOf(needle, at + needle.length)) {
        total++;
        if (matches.length < limit) matches.push({ text: around(words, at, needle.length), near: nearest(block, elements, view) });
      }
    });
    return { matches, total };
  };

  const blockOf = (element, view) => {
    for (let at = element; at; at = parentOf(at)) if (!/^inline|^contents/u.test(view.style(at).display)) return at;
    return element;
  };

  const around = (words, at, length) => {
    const begin = Math.max(0, at - 60), end = Math.min(words.length, at + length + 60);
    return (begin ? "…" : "") + words.slice(begin, end) + (end < words.length ? "…" : "");
  };

  const nearest = (block, elements, view) => {
    const box = view.box(block);
    const middle = (box.top + box.bottom) / 2;
    return elements
      .map((element, i) => {
        if (!element) return null;
        if (block.contains(element) || element.contains(block)) return [0, i];
        const other = view.box(element);
        return [Math.abs((other.top + other.bottom) / 2 - middle) + Math.abs((other.left + other.right - box.left - box.right) / 2) / 4 + 1, i];
      })
      .filter(Boolean).sort((a, b) => a[0] - b[0]).slice(0, 3).map(([, i]) => i);
  };

  // --- filling ------------------------------------------------------------------------------------------------------

  const probe = (handle) => {
    const element = get(handle);
    const [role, type] = labelOf(element);
    const states = statesOf(element);
    return {
      role, type, states, protected: isProtected(element),
      kind: element.localName === "select" ? "select" : isCheckable(element) ? "check" : SET_TYPES.has(element.type) && element.localName === "input" ? "set" : kit.isEditable(element) ? "text" : "none",
    };
  };

  const SET_TYPES = new Set(["date", "time", "datetime-local", "month", "week", "range", "color", "number"]);

  // Sets a value that is not typed, with the events that go with it; returns what the field holds then.
  const setValue = (handle, value) => {
    const element = get(handle);
    element.focus({ preventScroll: true });
    element.value = value;
    element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
    return element.value;
  };

  const isChecked = (handle) => {
    const element = get(handle);
    return element.localName === "input" ? element.checked : truth(element, "aria-checked") ?? false;
  };

  // Options by exact label, else by exact value.
  const optionIndices = (handle, wanted) => {
    const options = kit.optionsOf(get(handle));
    const byLabel = options.flatMap((option, i) => (option.label === collapse(wanted) ? [i] : []));
    const found = byLabel.length ? byLabel : options.flatMap((option, i) => (option.value === wanted ? [i] : []));
    return { found, options: options.slice(0, 20).map((option) => option.label), total: options.length, multiple: get(handle).multiple };
  };

  const chooseIndices = (handle, indices) => {
    const element = get(handle);
    element.focus({ preventScroll: true });
    [...element.options].forEach((option, i) => { option.selected = indices.includes(i); });
    element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
    return [...element.selectedOptions].map((option) => collapse(option.label)).join(", ");
  };

  const scrollToHandle = (handle) => {
    get(handle).scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  };
  const scrollPages = (pages) => scrollBy({ top: innerHeight * pages, behavior: "instant" });

  // Resolves when the document has not changed for some time, or after the longest time that is allowed.
  const settled = (quiet, longest) =>
    new Promise((done) => {
      let timer = setTimeout(end, quiet);
      const limit = setTimeout(end, longest);
      const observer = new MutationObserver(() => {
        clearTimeout(timer);
        timer = setTimeout(end, quiet);
      });
      function end() {
        observer.disconnect();
        clearTimeout(timer);
        clearTimeout(limit);
        done(true);
      }
      observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    });

  // --- extracting -----------------------------------------------------------------------------------------------------

  const links = (handle) => {
    const root = handle === null ? document : get(handle);
    const view = makeView();
    const found = walk(root).filter((one) => one.localName === "a" && one.hasAttribute("href") && isShown(one, view));
    const told = found.map((one) => [clip(ownWords(one) || clean(one.getAttribute("aria-label")) || one.href, 100), one.href]);
    return told.filter(([, href]) => !/^javascript:/iu.test(href));
  };

  const DROPPED = new Set(["script", "style", "template", "noscript", "link", "meta", "iframe", "object", "embed", "canvas", "svg", "video", "audio", "dialog-backdrop"]);
  const KEPT_ATTRIBUTES = ["href", "src", "alt", "colspan", "rowspan", "start", "value", "type", "class", "lang", "title"];

  // The markup of what a person sees: shadow trees in place, without scripts, styles and protected values.
  const visibleHtml = (handle, limit) => {
    const view = makeView();
    const parts = [];
    let size = 0;
    const add = (text) => {
      size += text.length;
      if (size <= limit) parts.push(text);
    };
    const escape = (text) => text.replace(/[&<>"]/gu, (one) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[one]);
    const open = (element) => {
      const secret = isProtected(element);
      const attributes = KEPT_ATTRIBUTES.flatMap((name) => {
        const value = name === "href" || name === "src" ? element[name]?.baseVal ?? element[name] : element.getAttribute(name);
        if (typeof value !== "string" || !value || value.startsWith("data:") || (secret && name === "value")) return [];
        return [` ${name}="${escape(value.replace(INVISIBLE, ""))}"`];
      });
      return `<${element.localName}${attributes.join("")}>`;
    };
    const visit = (node) => {
      if (size > limit) return;
      if (node.nodeType === Node.TEXT_NODE) return add(escape(node.nodeValue.replace(INVISIBLE, "")));
      if (node.nodeType !== Node.ELEMENT_NODE || DROPPED.has(node.localName)) return;
      const shape = /^(?:tr|td|th|thead|tbody|tfoot|caption|colgroup|col|br|hr|wbr|option|optgroup|slot|html|body|img)$/u.test(node.localName);
      if (!shape && !isShown(node, view) && !hasShownChild(node, view)) return;
      if (shape && !node.checkVisibility?.({ visibilityProperty: true }) && !/^(?:br|wbr|option|optgroup|slot|col|colgroup)$/u.test(node.localName)) return;
      add(open(node));
      if (/^(?:br|hr|img|wbr|input|col)$/u.test(node.localName)) return;
      if (node.localName === "textarea" && isProtected(node)) return add("</textarea>");
      const root = rootOf(node);
      for (const child of root ? root.childNodes : node.localName === "slot" ? (node.assignedNodes().length ? node.assignedNodes() : node.childNodes) : node.childNodes) visit(child);
      add(`</${node.localName}>`);
    };
    const root = handle === null ? document.body ?? document.documentElement : get(handle);
    if (root) visit(root);
    return { html: `<!doctype html><title>${escape(document.title)}</title>${parts.join("")}`, truncated: size > limit };
  };

  const hasShownChild = (element, view) => [...element.children].some((child) => !DROPPED.has(child.localName) && (isShown(child, view) || hasShownChild(child, view)));

  // --- what only the browser knows --------------------------------------------------------------------------------------

  // Elements that may have a closed shadow root: nothing inside, and yet something to see.
  const HOSTS = new Set(["article", "aside", "blockquote", "body", "div", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "main", "nav", "p", "section", "span"]);
  const mayHost = (all = walk(document)) => {
    const found = [];
    for (const element of all) {
      const isCustom = element.localName.includes("-");
      if (!isCustom && (!HOSTS.has(element.localName) || element.childElementCount || /\S/u.test(element.textContent))) continue;
      if (!rootOf(element) && element.offsetWidth > 0 && element.offsetHeight > 0) found.push(element);
      if (found.length >= 200) break;
    }
    return found;
  };

  const survey = () => {
    const all = walk(document);
    return [mayHost(all).length, all.some(rootOf)];
  };

  const digest = { collect, tell, findText, probe, setValue, isChecked, optionIndices, chooseIndices, scrollToHandle, scrollPages, links, visibleHtml };
  Object.assign(kit.functions, digest);
  kit.indexOf = (element, handles) => handles.indexOf(keep(element));
  kit.settled = settled;
  kit.mayHost = mayHost;
  kit.survey = survey;
  kit.adoptRoot = (host, root) => closedRoots.set(host, root);
  kit.noteListener = (element) => listens.add(element);
  kit.digest = digest;
})();
