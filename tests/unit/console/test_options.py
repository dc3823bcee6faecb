from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from blitzweb.console.options import HELP, Options, _parser, read_options
from blitzweb.errors import UsageError


def test_nothing_said_means_the_prompt_with_our_own_daemon() -> None:
    options = read_options([])
    assert options == Options(words=())
    assert options.daemon == (sys.executable, "-m", "blitzweb", "serve")


def test_options_may_stand_anywhere() -> None:
    options = read_options(["--trace", "call", "web_fetch", "--json", "url=x", "--mode=plan", "max_chars=5"])
    assert options.words == ("call", "web_fetch", "url=x", "max_chars=5")
    assert options.trace
    assert options.json
    assert options.mode == "plan"


def test_yes_is_once_and_approve_wins() -> None:
    assert read_options(["--yes"]).approve == "once"
    assert read_options(["--yes", "--approve", "session"]).approve == "session"


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        (["--daemon", "my daemon --flag 'a b'"], "daemon", ("my", "daemon", "--flag", "a b")),
        (["--params", '{"a": [1]}'], "params", {"a": [1]}),
        (["--settings", ' {"web": {}}'], "settings", {"web": {}}),
        (["--timeout", "1.5"], "timeout", 1.5),
        (["--state-dir", "d"], "state_dir", Path("d")),
        (["--replace", "a=b=c", "--replace", "x="], "replace", (("a", "b=c"), ("x", ""))),
    ],
)
def test_values_are_read(words, name, value) -> None:
    assert getattr(read_options(words), name) == value


def test_settings_come_from_files(tmp_path) -> None:
    toml, json = tmp_path / "s.toml", tmp_path / "s.json"
    toml.write_text('[web]\nallow_domains = ["example.com"]\n')
    json.write_text('{"web": {"max_bytes": 5}}')
    assert read_options(["--settings", str(toml)]).settings == {"web": {"allow_domains": ["example.com"]}}
    assert read_options(["--settings", str(json)]).settings == {"web": {"max_bytes": 5}}


def test_settings_that_no_host_could_send_are_said(tmp_path) -> None:
    path = tmp_path / "s.toml"
    path.write_text("[web]\nsince = 2026-01-02\n")
    with pytest.raises(UsageError, match="date"):
        read_options(["--settings", str(path)])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--bogus"], "--bogus"),
        (["--tra"], "--tra"),
        (["--mode"], "--mode"),
        (["--approve", "always"], "always"),
        (["--params", "[1]"], "object"),
        (["--params", "{"], "not JSON"),
        (["--timeout", "soon"], "soon"),
        (["--timeout", "nan"], "nan"),
        (["--timeout", "0"], "seconds"),
        (["--timeout", "-1"], "seconds"),
        (["--settings", "/no/such/file"], "No such file"),
        (["--settings", __file__], "not TOML"),
        (["--daemon", "'"], "No closing quotation"),
        (["--daemon", ""], "command is needed"),
        (["--replace", "x"], "OLD=NEW"),
    ],
)
def test_what_does_not_fit_is_said(words, sentence) -> None:
    with pytest.raises(UsageError, match=re.escape(sentence)):
        read_options(words)


def test_the_help_knows_every_option_and_no_other() -> None:
    known = {flag for action in _parser()._actions for flag in action.option_strings} - {"-h", "--help"}
    assert set(re.findall(r"(?m)^  .*?(--[a-z-]+)", HELP)) | {"--workspace", "--mode"} == known
