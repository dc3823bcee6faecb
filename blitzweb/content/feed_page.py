"""A feed to blocks: its title, what it is, and a list of its entries (CONTENT-09).

Summaries are markup of anybody's: they are stripped of tags by one linear pass, and never parsed.
"""

from __future__ import annotations

import html
import re

from blitzweb.content.blocks import Block, Heading, Item, Listing, Paragraph, Pieces, Span
from blitzweb.content.clip import ellipsize
from blitzweb.content.feeds import Entry, Feed
from blitzweb.content.targets import Targets
from blitzweb.limits import MAX_FEED_SUMMARY_CHARS

_UNSEEN = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|$)|<!--.*?(?:-->|$)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_INLINE_TAG = re.compile(r"</?(?:a|b|i|em|strong|code|span|sub|sup|u|s|small|abbr|mark)\b[^<>]*>", re.IGNORECASE)
_LOOKED_AT = 20 * MAX_FEED_SUMMARY_CHARS


def feed_blocks(feed: Feed, targets: Targets) -> list[Block]:
    """Return a feed as blocks."""
    blocks: list[Block] = []
    if title := one_line(feed.about.get("title")):
        blocks.append(Heading(1, [title]))
    if summary := one_line(feed.about.get("summary")):
        blocks.append(Paragraph([ellipsize(summary, MAX_FEED_SUMMARY_CHARS)]))
    blocks.append(Listing([_item(entry, targets) for entry in feed.entries]))
    if feed.total > len(feed.entries):
        blocks.append(Paragraph([f"(the first {len(feed.entries)} of {feed.total} entries)"]))
    return blocks


def one_line(markup: str) -> str:
    """Return the text of a piece of markup on one line; entities that were escaped twice are resolved once more."""
    text = _UNSEEN.sub(" ", markup[:_LOOKED_AT])
    return " ".join(html.unescape(_TAG.sub(" ", _INLINE_TAG.sub("", text))).split())


def _item(entry: Entry, targets: Targets) -> Item:
    link = entry.get("link") or (entry.get("guid") if entry.get("guid").startswith("http") else "")
    target = targets.resolve(link) if link else ""
    title = one_line(entry.get("title")) or target or "(untitled)"
    line: Pieces = [Span("link", [title], target) if target else title]
    if facts := ", ".join(filter(None, (entry.get("date"), one_line(entry.get("author"))))):
        line.append(f", {facts}")
    item = Item(blocks=[Paragraph(line, spaced=False)])
    if (summary := one_line(entry.get("summary"))) and summary != title:
        item.blocks.append(Paragraph([ellipsize(summary, MAX_FEED_SUMMARY_CHARS)], spaced=False))
    return item
