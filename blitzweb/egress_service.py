"""`blitzweb egress`: the browser's proxy as a service, for browsers on other machines (EGRESS-08).

It takes the user's settings, a token from a file that nobody else can read, and runs until a signal ends it.
"""

from __future__ import annotations

import os
import re
import select
import sys
from typing import Final

from blitzweb.checks import CHECKS
from blitzweb.egress.proxy import EgressProxy, Failure, Refusal
from blitzweb.egress.token_file import MAKE_ONE, read_token_file
from blitzweb.errors import BlitzwebError, UsageError
from blitzweb.flags import read_flags
from blitzweb.net.dialer import AddressRule, Dialer
from blitzweb.policy.addresses import AddressClass, classify_address
from blitzweb.policy.ports import read_port
from blitzweb.rpc.log import Log
from blitzweb.rpc.signals import ending_by_signals
from blitzweb.rpc.stopping import StopSignal
from blitzweb.settings import Settings, load_settings
from blitzweb.world import policy_of

USAGE = """\
usage: blitzweb egress --listen HOST:PORT --token-file FILE [--config FILE] [--set TABLE.KEY=VALUE]

Run the browser's egress proxy as a service, beside a grid of browsers. The log goes to stderr; SIGTERM ends it.

  --listen HOST:PORT      where to listen: an address of this machine, IPv6 in brackets; port 0 takes a free one
  --token-file FILE       holds the password of the user "blitzweb"; must be readable by its owner alone
  --config FILE           settings (TOML) instead of ~/.blitz/config.toml
  --set TABLE.KEY=VALUE   one setting, VALUE as in TOML; may be repeated
"""
_OWN_OPTIONS: Final = ("--listen", "--token-file")
_ADDRESS: Final = re.compile(r"(?:\[(?P<ipv6>[0-9A-Fa-f:.]+)\]|(?P<ipv4>[0-9.]+)):(?P<port>[0-9]+)")


def main(words: list[str]) -> int:
    """Serve until a signal; return the exit code."""
    if "--help" in words or "-h" in words:
        sys.stdout.write(USAGE)
        return 0
    own, others = _split(words)
    address = read_address(own.get("--listen", ""))
    if not own.get("--token-file"):
        raise UsageError("--token-file is needed: without a token anybody could use the proxy", advice=MAKE_ONE)
    token = read_token_file(own["--token-file"])
    flags = read_flags(others)
    settings = load_settings(config_path=flags.config, flags=flags.settings, checks=CHECKS)
    log = Log(level=os.environ.get("BLITZWEB_LOG") or settings.log.level)
    _serve(_make_proxy(settings, address, token, log), address, log)
    return 0


def read_address(text: str) -> tuple[str, int]:
    """Return the address and the port of `--listen`.

    Raises:
        UsageError: it is no address and port.
    """
    found = _ADDRESS.fullmatch(text)
    port = 0 if found and found["port"] == "0" else read_port(found["port"]) if found else None
    if found is None or port is None:
        raise UsageError(f'--listen takes ADDRESS:PORT, not "{text}"', advice="for example --listen 127.0.0.1:3128")
    return found["ipv6"] or found["ipv4"], port


def _split(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """Return the values of the options that this command alone has, and the other words."""
    own: dict[str, str] = {}
    others: list[str] = []
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if name not in _OWN_OPTIONS:
            others.append(word)
            continue
        own[name] = value if equals else next(rest, "")
        if not own[name]:
            raise UsageError(f"{name} needs a value", advice="`blitzweb egress --help` shows its form")
    return own, others


def _make_proxy(settings: Settings, address: tuple[str, int], token: str, log: Log) -> EgressProxy:
    def tell_refused(refusal: Refusal) -> None:
        rule = f" (rule: {refusal.rule})" if refusal.rule else ""
        text = f"refused {refusal.host} port {refusal.port}: {refusal.text}{rule}"
        log.info(text)

    def tell_failed(failure: Failure) -> None:
        text = f"not reached: {failure.text}"
        log.debug(text)

    return EgressProxy(
        dialer=Dialer(),
        admit=policy_of(settings).decide_egress,
        rule=AddressRule(opened=settings.browser.allow_local, setting="browser.allow_local"),
        token=token,
        on_refused=tell_refused,
        on_failed=tell_failed,
        address=address,
        complain=log.warning,
    )


def _serve(proxy: EgressProxy, address: tuple[str, int], log: Log) -> None:
    stop = StopSignal()
    host = f"[{address[0]}]" if ":" in address[0] else address[0]
    with ending_by_signals(stop, by_interrupt=True):
        try:
            proxy.start()
        except OSError as error:
            raise BlitzwebError(f"{host}:{address[1]} cannot be listened on: {error.strerror}") from None
        text = f"the egress proxy listens on {host}:{proxy.port}"
        log.info(text)
        if classify_address(address[0]) is not AddressClass.LOOPBACK:
            log.warning("other machines can reach it; its token crosses the network unencrypted, so keep that private")
        select.select([stop.fd], [], [])
        log.info("the egress proxy ends: a signal asked for it")
        proxy.close()
    stop.close()
