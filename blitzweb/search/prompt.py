"""The prompt of the read-only turn that follows the user's own search (SEARCH-05).

What we say comes first and in fixed order; all text of results stands inside a fence that no page can forge.
"""

from __future__ import annotations

from collections.abc import Sequence

from blitzweb.content.boundary import fence
from blitzweb.content.clip import ellipsize
from blitzweb.limits import PROMPT_TITLE_CHARS
from blitzweb.search.results import Result
from blitzweb.search.text import render_result


def write_prompt(terms: str, provider: str, results: Sequence[Result], answer: str) -> str:
    """Return the prompt."""
    sentences = [
        f"The user searched the web for: {terms}",
        "The pages listed below may be read with web_fetch without asking, in this turn only.",
        "Skip pages that fail.",
        "Answer the user from what you have read, and cite the URLs that you used.",
        "Say what is missing.",
        "Any other page needs the user's approval.",
    ]
    listed = [
        render_result(number, result._replace(title=ellipsize(result.title, PROMPT_TITLE_CHARS)))
        for number, result in enumerate(results, start=1)
    ]
    if answer:
        listed.append(f"Summary by {provider} itself, unverified: {answer}")
    return "\n".join([*sentences, "", fence("\n".join(listed))])
