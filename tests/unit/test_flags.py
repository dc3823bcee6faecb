"""The options of `serve`, read by hand."""

from __future__ import annotations

import pytest

from blitzweb.cli import main
from blitzweb.errors import UsageError
from blitzweb.flags import read_flags


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        (["--set", "web.max_bytes=1000"], {"web": {"max_bytes": 1000}}),
        (["--set=web.enabled=false"], {"web": {"enabled": False}}),
        (["--set", 'web.allow_domains=["a.example"]'], {"web": {"allow_domains": ["a.example"]}}),
        (["--set", "web.search_provider=brave"], {"web": {"search_provider": "brave"}}),
        (["--set", "llm.gemini.model=m=1"], {"llm.gemini": {"model": "m=1"}}),
        (["--set", "web.enabled=true", "--set", "web.max_bytes=5"], {"web": {"enabled": True, "max_bytes": 5}}),
    ],
)
def test_set_is_toml_and_a_bare_word_is_text(words: list[str], settings: dict[str, object]) -> None:
    assert read_flags(words).settings == settings


def test_places_and_tools() -> None:
    flags = read_flags(["--config", "a.toml", "--state-dir=/s", "--tools", "web_fetch, web_search"])
    assert (flags.config, flags.state_dir, flags.tools) == ("a.toml", "/s", ("web_fetch", "web_search"))
    assert read_flags(["--no-tools"]).tools == ()
    assert read_flags([]).tools is None


@pytest.mark.parametrize("words", [["--nope"], ["--config"], ["--set", "web=1"], ["--set", "web.x"], ["stray"]])
def test_words_that_mean_nothing_are_named(words: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        read_flags(words)
    assert words[-1].partition("=")[0] in caught.value.message


def test_an_unknown_command_says_where_the_list_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["swerve"]) == 3
    assert 'no command "swerve"' in capsys.readouterr().err
