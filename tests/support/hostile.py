"""Thirty shapes of HTML, of up to 2 MiB, that break parsers: what each does is in its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

SIZE: Final = 2 * 1024 * 1024


def _filled(head: str, unit: str, tail: str = "", size: int = SIZE) -> str:
    return head + unit * ((size - len(head) - len(tail)) // len(unit)) + tail


def _numbered(unit: str, count: int) -> str:
    return "".join(unit.format(number) for number in range(count))


SHAPES: Final[dict[str, Callable[[], str]]] = {
    "deep_div_100k": lambda: "<div>" * 100_000 + "x",
    "deep_div_closed_100k": lambda: "<div>" * 100_000 + "x" + "</div>" * 100_000,
    "deep_b_100k_formatting": lambda: "<b>" * 100_000 + "x",
    "deep_span_20k_attributes": lambda: _numbered("<span class='c{0}' id='i{0}'>", 20_000) + "x",
    "deep_blockquote_list_30k": lambda: "<blockquote><ul><li>" * 30_000 + "x",
    "deep_table_20k": lambda: "<table><tr><td>" * 20_000 + "x",
    "deep_svg_50k": lambda: "<svg><g>" * 50_000 + "x",
    "font_noah_quadratic_10k": lambda: _numbered("<font size={0}>", 10_000) + "<p>x" * 10_000,
    "font_reopened_in_cells": lambda: "<table>" + _numbered("<font size={0}><tr><td>x", 5_000),
    "misnested_a_b_i_50k": lambda: _filled("", "<a href=x><b><i></a></b><p>x</i>", size=1_500_000),
    "form_select_option_100k": lambda: "<form><select>" + "<option>x" * 100_000,
    "selectedcontent_10k": lambda: "<select><button><selectedcontent></button>" + "<option selected>x<b>y" * 10_000,
    "table_foster_20k": lambda: "<table>" + "<b>x<p>" * 20_000,
    "wide_table_2MiB": lambda: _filled("<table><tr>", "<td>x"),
    "colspan_1000": lambda: _filled("<table>", "<tr><td colspan=1000 rowspan=1000>x"),
    "attrs_2MiB_one_tag": lambda: "<p " + _numbered("a{0}=1 ", 230_000) + ">x",
    "attrs_2MiB_unclosed": lambda: "<p " + _numbered("a{0} ", 260_000),
    "attrs_quoted_gt": lambda: "<p " + _numbered('a{0}=">"', 170_000) + ">x",
    "one_attribute_2MiB": lambda: _filled("<p title='", "x", "'>x"),
    "open_a_2MiB": lambda: _filled("", "<a "),
    "lt_2MiB": lambda: _filled("", "<"),
    "lt_slash_2MiB": lambda: _filled("", "</"),
    "unclosed_comment_2MiB": lambda: _filled("<p>x<!--", "-x"),
    "comment_dashes_2MiB": lambda: _filled("<!--", "-", "--><p>x"),
    "bad_doctype_2MiB": lambda: _filled("<!DOCTYPE ", "x ", "><p>x"),
    "unclosed_script_2MiB": lambda: _filled("<p>x<script>", "</scrip"),
    "unclosed_title_2MiB": lambda: _filled("<title>", "</titl"),
    "entities_2MiB": lambda: _filled("<p>", "&notit;"),
    "entity_digits_2MiB": lambda: _filled("<p>&#", "9", ";x"),
    "nul_2MiB": lambda: _filled("<p>x", "\0"),
}
