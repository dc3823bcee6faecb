from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.covers import covers
from tests.support.host import ROOT
from tests.support.terminal import Terminal, console


def run(*words, stdin="", daemon=None, **options):
    command = console(*words) if daemon is None else (sys.executable, "-m", "blitzweb.console.main", *words)
    return subprocess.run(
        [*command, *(["--daemon", daemon] if daemon else [])],
        cwd=ROOT,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        **options,
    )


def fetch(url, *words, **options):
    return run("call", "web_fetch", f"url={url}", *words, **options)


# --- call ------------------------------------------------------------------------------------------------------------


def test_a_result_is_exit_code_0_and_its_text_is_shown() -> None:
    done = fetch("hello")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {"name": "web_fetch", "arguments": {"url": "hello"}}


def test_an_error_of_the_tool_is_exit_code_1() -> None:
    done = fetch("fail:")
    assert (done.returncode, done.stdout) == (1, "it failed\n")


def test_a_json_rpc_error_is_exit_code_2_with_its_advice() -> None:
    done = run("call", "no/such")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "-32601: no such method" in done.stderr
    assert "look at rpc.discover" in done.stderr


@pytest.mark.parametrize(
    "words",
    [["nosuch"], ["call"], ["call", "web_fetch", "url"], ["describe"], ["methods", "x"], ["replay"], ["--bogus"]],
)
def test_usage_is_exit_code_3_with_advice(words) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("blitzweb-rpc: ")
    assert "Traceback" not in done.stderr


def test_json_prints_the_result_alone() -> None:
    done = fetch("fail:", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout) == {
        "output": {"url": "it failed"},
        "text": "it failed",
        "images": [],
        "is_error": True,
    }


def test_context_deadline_settings_and_state_reach_the_daemon(tmp_path) -> None:
    words = ["--session", "s", "--workspace", "w", "--mode", "plan", "--timeout", "1.5"]
    assert json.loads(fetch("x", *words).stdout) == {
        "name": "web_fetch",
        "arguments": {"url": "x"},
        "context": {"session": "s", "workspace": "w", "mode": "plan"},
        "timeout_ms": 1500,
    }
    done = run("call", "$/status", "--settings", '{"warn": ["odd setting"]}', "--state-dir", str(tmp_path))
    hello = json.loads(done.stdout)["hello"]
    assert hello["settings"] == {"warn": ["odd setting"]}
    assert hello["state_dir"] == str(tmp_path)
    assert hello["host"]["pid"] > 0
    assert "warning: odd setting" in done.stderr


def test_params_are_given_as_json_or_as_pairs() -> None:
    done = run("call", "$/status", "a=2", "--params", '{"a": 1, "b": {"c": [null]}}', "--json")
    assert json.loads(done.stdout)["given"] == {"a": 2, "b": {"c": [None]}}


def test_a_notification_is_sent() -> None:
    done = run("call", "exit")
    assert done.returncode == 0
    assert "no answer" in done.stderr


def test_a_line_of_17_mib_is_read() -> None:
    assert len(fetch("large:").stdout) == 17 * 2**20 + 1


def test_no_page_drives_the_terminal() -> None:
    assert fetch("controls:").stdout == "a\\x1b[2Jb\\x9bc\\u202ed\te\n"
    shown = fetch("controls:", "--json").stdout
    assert not set("\x1b\x9b\u202e") & set(shown)
    assert json.loads(shown)["text"] == "a\x1b[2Jb\x9bc\u202ed\te"


def test_what_the_terminal_cannot_show_is_no_failure() -> None:
    done = fetch("日本語 \udc80", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0


def test_a_reader_that_has_had_enough_is_no_failure() -> None:
    process = subprocess.Popen(console("call", "web_fetch", "url=large:"), cwd=ROOT, stdout=-1, stderr=-1)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(20) == 128 + signal.SIGPIPE


# --- the daemon ------------------------------------------------------------------------------------------------------


def test_a_daemon_that_ends_is_said_with_its_last_words() -> None:
    done = fetch("die:7")
    assert done.returncode == 2
    assert "the daemon ended with exit code 7" in done.stderr
    assert "I was told to" in done.stderr


@pytest.mark.parametrize(
    ("daemon", "sentence"),
    [
        ("no-such-program", "cannot start the daemon `no-such-program`"),
        ("false", "the daemon ended with exit code 1"),
        ("sh -c 'kill -9 $$'", "was killed by signal 9"),
        ("echo hello", "it was: hello"),
        ("sh -c 'exec >&-; sleep 0.1'", "the daemon ended with exit code 0"),
    ],
)
def test_what_is_no_daemon_is_said(daemon, sentence) -> None:
    done = run("call", "ping", daemon=daemon)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_no_message_is_shown() -> None:
    done = fetch("garbage:")
    assert done.returncode == 2
    assert "it was: Traceback (most recent call last):\\x1b[31m" in done.stderr


def test_the_log_is_shown_where_asked_for() -> None:
    assert "log │ I was told to" in fetch("die:0", "--log").stderr


def test_a_request_of_the_daemon_that_no_host_has_is_refused() -> None:
    assert json.loads(fetch("method:sampling/create").stdout)["code"] == -32601


# --- approvals -------------------------------------------------------------------------------------------------------


def test_without_a_terminal_the_answer_is_no() -> None:
    done = fetch("ask:")
    assert done.returncode == 1
    assert json.loads(done.stdout)["decision"] == "deny"
    assert "web:x" in done.stderr
    assert "--yes" in done.stderr


@pytest.mark.parametrize(
    ("words", "decision"), [(["--yes"], "once"), (["--approve", "session"], "session"), (["--approve", "deny"], "deny")]
)
def test_the_answer_can_be_given_beforehand(words, decision) -> None:
    assert json.loads(fetch("ask:", *words).stdout) == {"decision": decision}


@covers("APPROVAL-01")
def test_a_person_is_asked_on_the_terminal() -> None:
    with Terminal(*console("call", "web_fetch", "url=ask:")) as terminal:
        screen = terminal.see("> ")
        assert "web_fetch asks for requests to x" in screen
        assert "key  web:x" in screen
        assert "[a] always" in screen
        terminal.type("n too early\n")
        terminal.see('"reason": "too early"')
        assert terminal.wait() == 1


@covers("APPROVAL-11")
def test_what_has_no_key_cannot_be_remembered() -> None:
    with Terminal(*console("call", "web_fetch", "url=ask:keyless")) as terminal:
        assert "always" not in terminal.see("> ")
        terminal.type("y\n")
        terminal.see('{"decision": "once"}')
        assert terminal.wait() == 0


@covers("APPROVAL-10")
def test_ctrl_c_at_a_question_cancels_the_call() -> None:
    with Terminal(*console("call", "web_fetch", "url=ask:", "--trace")) as terminal:
        terminal.see("> ")
        terminal.type("\x03")
        assert "approval/resolved" in terminal.see("error -32800")
        assert terminal.wait() == 2


# --- Ctrl-C ----------------------------------------------------------------------------------------------------------


def test_ctrl_c_cancels_the_call_and_its_answer_is_shown() -> None:
    with Terminal(*console("call", "web_fetch", "url=wait:", "--log")) as terminal:
        terminal.see("log │ waiting")
        terminal.type("\x03")
        terminal.see("error -32800: cancelled")
        assert terminal.wait() == 2


def test_a_second_ctrl_c_ends_and_leaves_nothing_behind() -> None:
    with Terminal(*console("call", "web_fetch", "url=hush:", "--log", "--trace")) as terminal:
        terminal.see("log │ waiting")
        terminal.type("\x03")
        terminal.see("$/cancelRequest")
        terminal.type("\x03")
        assert terminal.wait() == 128 + signal.SIGINT


def test_the_daemon_ends_when_the_console_is_killed() -> None:
    with Terminal(*console("call", "web_fetch", "url=wait:", "--log")) as terminal:
        terminal.see("log │ waiting")
        (daemon,) = children(terminal.process.pid)
        terminal.process.kill()
        until_gone(daemon)


def children(pid):
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def until_gone(pid, seconds=5.0):
    end = time.monotonic() + seconds
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < end, "the daemon is still there"
        time.sleep(0.01)


# --- methods, describe, trace ----------------------------------------------------------------------------------------


def test_methods_and_tools_are_listed() -> None:
    done = run("methods")
    assert done.returncode == 0
    assert {"tools/call", "rpc.discover", "web_fetch"} <= {line.split()[0] for line in done.stdout.splitlines()}
    assert {entry["name"] for entry in json.loads(run("methods", "--json").stdout)} >= {"ping", "web_fetch"}


def test_one_is_described_with_an_example() -> None:
    done = run("describe", "web_fetch")
    assert "text | markdown | article | links" in done.stdout
    assert "blitzweb-rpc call web_fetch url=https://example.com/" in done.stdout
    assert "url" in json.loads(run("describe", "web_fetch", "--json").stdout)


def test_an_unknown_name_gets_the_near_one() -> None:
    done = run("describe", "web_fetsch")
    assert done.returncode == 3
    assert "did you mean web_fetch?" in done.stderr


@covers("AUDIT-04")
def test_the_trace_shows_every_message_masked_and_without_colour() -> None:
    secret = "wonderful-walrus"
    settings = json.dumps({"web": {"search_api_key": secret}})
    done = fetch(f"x{secret}", "--trace", "--settings", settings)
    lines = done.stderr.splitlines()
    sent = [json.loads(line[2:])["method"] for line in lines if line.startswith("→")]
    assert sent == ["initialize", "initialized", "tools/call", "shutdown", "exit"]
    assert len([line for line in lines if line.startswith("←")]) == 3
    assert secret not in done.stderr
    assert "\x1b" not in done.stderr


def test_the_trace_has_colour_on_a_terminal() -> None:
    with Terminal(*console("call", "ping", "--trace")) as terminal:
        assert terminal.wait() == 0
        assert b"\x1b[36m" in terminal.raw
    with Terminal(*console("call", "ping", "--trace"), environ={"NO_COLOR": "1"}) as terminal:
        assert terminal.wait() == 0
        assert b"\x1b[36m" not in terminal.raw


def test_progress_is_shown_to_who_watches() -> None:
    with Terminal(*console("call", "web_fetch", "url=steps:")) as terminal:
        terminal.see("done")
        terminal.wait()
        assert "… 1/2 half" in terminal.text
        assert "the daemon: odd" in terminal.text
        assert "picture: /i/0.png (1 × 2)" in terminal.text
    assert "progress_token" not in fetch("x").stdout


# --- the prompt ------------------------------------------------------------------------------------------------------


def test_lines_from_a_pipe_are_obeyed() -> None:
    done = run(stdin="ping\n\nweb_fetch url=1\nmode plan\nweb_fetch url=2\ncall web_fetch url=fail:\n")
    assert done.stdout.splitlines()[0] == "null"
    assert '"url": 1' in done.stdout
    assert '"mode": "plan"' in done.stdout
    assert done.returncode == 1


def test_a_mistake_does_not_end_the_prompt() -> None:
    done = run(stdin='no/such\nbad "quote\ntrace maybe\nmode\ndescribe nothing\nping\n')
    assert done.stdout == "null\n"
    assert done.returncode == 0
    assert "-32601" in done.stderr
    assert "No closing quotation" in done.stderr
    assert "trace takes on or off" in done.stderr


def test_bytes_that_are_no_text_break_nothing() -> None:
    done = subprocess.run(
        console(), cwd=ROOT, input=b"\xff\xfe\nping\n", capture_output=True, timeout=30, check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stdout.endswith(b"\nnull\n")


def test_exit_leaves_the_rest_unread() -> None:
    assert run(stdin="exit\nping\n").stdout == ""


def test_a_dead_daemon_ends_the_prompt() -> None:
    done = run(stdin="web_fetch url=die:3\nping\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "ended with exit code 3" in done.stderr


def test_the_trace_can_be_turned_on_and_off() -> None:
    done = run(stdin="trace on\nping\ntrace off\n$/status\n")
    assert [json.loads(line[2:]).get("method") for line in done.stderr.splitlines() if line[0] == "→"] == ["ping"]


def test_the_prompt_completes_and_remembers(tmp_path) -> None:
    with Terminal(*console("--state-dir", str(tmp_path / "state"))) as terminal:
        terminal.see("blitzweb>")
        terminal.forget()
        terminal.type("web_f")
        terminal.see("Read a web page")  # the menu, with the tool's title
        terminal.type("\t url=hello\n")
        terminal.see('{"url": "hello"}')
        terminal.type("mode plan\n")
        terminal.see("blitzweb (plan)>")
        terminal.type("\x03")
        terminal.type("\x04")
        assert terminal.wait() == 0
    history = tmp_path / "state" / "console_history"
    assert stat.S_IMODE(history.stat().st_mode) == 0o600
    assert stat.S_IMODE(history.parent.stat().st_mode) == 0o700
    assert "+web_fetch url=hello" in history.read_text()


def test_a_mode_that_is_none_breaks_no_completion(tmp_path) -> None:
    with Terminal(*console("--state-dir", str(tmp_path))) as terminal:
        terminal.see("blitzweb>")
        terminal.type("mode odd\n")
        terminal.see("blitzweb (odd)>")
        terminal.type("web_fetch url=hello\n")
        terminal.see('"mode": "odd"')
        terminal.type("exit\n")
        assert terminal.wait() == 0
        assert "Unhandled" not in terminal.text


def test_an_approval_is_asked_from_the_prompt(tmp_path) -> None:
    with Terminal(*console("--state-dir", str(tmp_path))) as terminal:
        terminal.see("blitzweb>")
        terminal.type("web_fetch url=ask:\n")
        terminal.see("[y] once")
        terminal.type("s\n")
        terminal.see('{"decision": "session"}')
        terminal.type("exit\n")
        assert terminal.wait() == 0


def test_without_prompt_toolkit_there_is_a_plain_prompt(tmp_path) -> None:
    (tmp_path / "prompt_toolkit.py").write_text("raise ImportError")
    (tmp_path / "rich.py").write_text("raise ImportError")
    with Terminal(*console(), environ={"PYTHONPATH": str(tmp_path)}) as terminal:
        terminal.see("pip install 'blitzweb[console]'")
        terminal.see("blitzweb>")
        terminal.type("ping\n")
        terminal.see("null")
        terminal.type("\x04")
        assert terminal.wait() == 0


# --- transcripts -----------------------------------------------------------------------------------------------------


@covers("WIRE-43")
def test_what_was_recorded_plays_the_same(tmp_path) -> None:
    path = tmp_path / "t.jsonl"
    assert fetch("ask:", "--approve", "session", "--record", str(path)).returncode == 0
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    senders = "".join(line["from"][0] for line in lines)
    assert senders == "hdhhdhdhdhd"
    assert lines[-1] == {"from": "daemon", "exit": 0}
    done = run("replay", str(path))
    assert (done.returncode, done.stdout) == (0, f"{path}: 11 lines, the same\n")


@covers("WIRE-43")
def test_what_differs_is_reported(tmp_path) -> None:
    path = tmp_path / "t.jsonl"
    fetch("x", "--record", str(path))
    path.write_text(path.read_text().replace('"is_error":false', '"is_error":true'))
    done = run("replay", str(path))
    assert done.returncode == 1
    assert "line 5: the answer to 2: result.is_error is false, not true" in done.stdout


def test_texts_can_be_replaced_for_a_replay(tmp_path) -> None:
    path = tmp_path / "t.jsonl"
    fetch("http://a.example/", "--record", str(path))
    assert run("replay", str(path), "--replace", "a.example=b.example").returncode == 0


def test_a_transcript_that_cannot_be_read_is_said(tmp_path) -> None:
    done = run("replay", str(tmp_path / "none.jsonl"))
    assert done.returncode == 3
    assert "No such file" in done.stderr


def test_a_recording_overwrites_nothing(tmp_path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("mine")
    assert fetch("x", "--record", str(path)).returncode == 3
    assert path.read_text() == "mine"
