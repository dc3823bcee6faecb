"""The digest that a model reads: numbered elements and the start of the text, inside a budget (DIGEST-04, DIGEST-15).

An index belongs to one generation, and a generation to a workspace: it grows with every digest and is never reset
(DIGEST-13). Nothing is re-bound by guess.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from blitzweb.browser.digest import Element, PageText, look
from blitzweb.browser.doing import Doing
from blitzweb.browser.inspection import Inspection
from blitzweb.contract.digest import DigestElement, DigestOutput
from blitzweb.limits import DIGEST_BYTES, DIGEST_ELEMENTS, DIGEST_TEXT_BYTES, DIGEST_TEXT_CHARS, MIN_DIGEST_TEXT_BYTES
from blitzweb.tools.browsing.outcome import PageState
from blitzweb.tools.browsing.scene import Scene


@dataclass(slots=True)
class DigestState:
    """What a workspace knows of its last digest; owned by its lane."""

    generation: int = 0
    elements: list[Element] = field(default_factory=list)
    lines: dict[tuple[str, int, int], str] = field(default_factory=dict)  # of those that were told, by identity
    text: str = ""
    loader: str = ""  # of the document that it was taken of


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """One look at the page."""

    output: DigestOutput
    text: str


def begin_digest(scene: Scene) -> Inspection | None:
    """Ask the browser for what a digest needs, so that it is on its way meanwhile; None while a page cannot answer."""
    tab = scene.chrome.active
    if tab is None or tab.dialog is not None or tab.crashed or tab.closed:
        return None
    return Inspection(scene.doing, tab.frames.main)


def take_digest(
    doing: Doing,
    state: DigestState,
    page: PageState,
    begun: Inspection | None,
    *,
    limit: int | None = None,
    changes_only: bool = False,
) -> Digest:
    """Look at the page, number what there is, and tell as much of it as fits."""
    before = DigestState(state.generation, state.elements, state.lines, state.text, state.loader)
    seen = look(doing, begun or Inspection(doing, doing.tab.frames.main), limit or DIGEST_ELEMENTS, DIGEST_TEXT_CHARS)
    elements = seen.elements
    state.generation += 1
    state.elements = elements
    state.loader = doing.tab.frames.main.loader
    masked = [(index, _masked(one, page)) for index, one in seen.listed.items()]
    text = PageText(page.mask(seen.text.text), seen.text.total)
    lines = [(index, render_element(index, one)) for index, one in masked]
    state.lines = {elements[index].identity: line.partition("] ")[2] for index, line in lines}
    state.text = text.text
    if changes_only and before.generation:
        lines, gone = _changes(before, state, lines)
        return _compose(
            state, page, masked, lines, text if text.text != before.text else None, gone=gone, before=before
        )
    return _compose(state, page, masked, lines, text)


def render_element(index: int, item: Mapping[str, Any]) -> str:
    """Return the line of one element."""
    kind = f"{item['role']}({item['type']})" if item.get("type") else item["role"]
    parts = [f"[{index}] {kind}"]
    if item["name"]:
        parts.append(f'{"~" if item["inferred"] else ""}"{item["name"]}"')
    if item.get("href"):
        parts.append(f"-> {item['href']}")
    if item["states"]:
        parts.append(f"({', '.join(item['states'])})")
    if item["protected"]:
        parts.append("(protected)")
    elif item.get("value"):
        clipped = f" ({item['length']} characters)" if item["length"] > len(item["value"]) else ""
        parts.append(f'= "{_on_one_line(item["value"])}"{clipped}')
    if item.get("options"):
        more = f", … +{item['moreOptions']} more" if item["moreOptions"] else ""
        parts.append(f"[{', '.join(item['options'])}{more}]")
    return " ".join(parts)


def _on_one_line(text: str) -> str:
    """Return a value as one line shows it: what a page says must not look like a line of ours."""
    return text.replace("\\", "\\\\").replace("\r", "\\r").replace("\n", "\\n")


def _masked(item: Mapping[str, Any], page: PageState) -> Mapping[str, Any]:
    texts = {name: page.mask(item[name]) for name in ("name", "value", "href") if item.get(name)}
    return {**item, **texts}


def _changes(
    before: DigestState, now: DigestState, lines: list[tuple[int, str]]
) -> tuple[list[tuple[int, str]], list[str]]:
    """Return the lines that are new or different, and what was told before and is gone."""
    changed = []
    for index, line in lines:
        identity = now.elements[index].identity
        if before.lines.get(identity) != now.lines[identity]:
            changed.append((index, f"{'~' if identity in before.lines else '+'} {line}"))
    there = {element.identity for element in now.elements}
    return changed, [f"- {line}" for identity, line in before.lines.items() if identity not in there]


def _compose(
    state: DigestState,
    page: PageState,
    items: Sequence[tuple[int, Mapping[str, Any]]],
    lines: Sequence[tuple[int, str]],
    text: PageText | None,
    *,
    gone: Sequence[str] = (),
    before: DigestState | None = None,
) -> Digest:
    total = len(state.elements)
    head = [*_head(state, page), "", _heading(total, before, lines, gone)]
    reserved = DIGEST_TEXT_BYTES if text is not None and text.text else 0
    budget = DIGEST_BYTES - _bytes(head) - reserved - _NOTE_BYTES
    told = list(_fit(lines, gone, budget))
    listed = {index for index, _ in told if index is not None}
    shown = len(listed) if before is None else len(state.lines)
    body = [line for _, line in told]
    if shown < total and before is None:
        body.append(f"(showing {shown} of {total}; browser_state with max_elements or scroll for more)")
    beginning = list(_text_lines(text, DIGEST_BYTES - _bytes(head) - _bytes(body))) if text is not None else []
    output = DigestOutput(
        url=page.url or None,
        title=page.title or None,
        generation=state.generation,
        elements=tuple(_element(index, item) for index, item in items if before is not None or index in listed),
        shown=shown,
        total=total,
        page_text=beginning[2] if len(beginning) > 2 else None,  # noqa: PLR2004 (a blank, the heading, the text)
    )
    return Digest(output=output, text="\n".join([*head, *body, *beginning]))


_NOTE_BYTES = 100  # of the line that tells how many are shown


def _head(state: DigestState, page: PageState) -> Iterator[str]:
    yield f"Page: {_clip(page.title, 200)}" if page.title else "Page: (untitled)"
    yield f"URL: {_clip(page.url, 500)}"
    yield f"Generation: {state.generation} (pass it to click and fill)"
    yield from (f"Note: {note}" for note in page.notes)
    if page.refused:
        yield "Refused: " + "; ".join(page.refused[:5])


def _heading(total: int, before: DigestState | None, lines: Sequence[object], gone: Sequence[str]) -> str:
    if before is not None:
        if not lines and not gone:
            return f"No element has changed since generation {before.generation}."
        return f"Changes since generation {before.generation} (+ new, ~ different, - gone):"
    return "Interactive elements:" if total else "Interactive elements: none"


def _fit(lines: Sequence[tuple[int, str]], gone: Sequence[str], budget: int) -> Iterator[tuple[int | None, str]]:
    """Yield the lines that fit, whole ones only."""
    for index, line in [*lines, *((None, one) for one in gone)]:
        budget -= len(line.encode("utf-8", "replace")) + 1
        if budget < 0:
            return
        yield index, line


def _text_lines(text: PageText, left: int) -> Iterator[str]:
    if not text.text or left < MIN_DIGEST_TEXT_BYTES:
        return
    room = left - _NOTE_BYTES
    shown = text.text.encode("utf-8", "replace")[:room].decode("utf-8", "ignore")
    yield ""
    if len(shown) < text.total:
        yield f"Text (first {len(shown)} of {text.total} characters; browser_extract for more):"
    else:
        yield "Text:"
    yield shown


def _element(index: int, item: Mapping[str, Any]) -> DigestElement:
    states = item["states"]
    checked = True if "checked" in states else False if "unchecked" in states else None
    return DigestElement(
        index=index,
        role=item["role"],
        name=item["name"],
        type=item.get("type"),
        href=item.get("href"),
        value=item.get("value"),
        checked=checked,
        disabled=True if "disabled" in states else None,
        options=tuple(item["options"]) if item.get("options") else None,
        protected=True if item["protected"] else None,
    )


def _bytes(lines: Sequence[str]) -> int:
    return sum(len(line.encode("utf-8", "replace")) + 1 for line in lines)


def _clip(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
