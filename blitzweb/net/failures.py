"""Foreign exceptions of sockets, TLS, HTTP and decoders, mapped to `FetchFailed` with its phase (FETCH-09)."""

from __future__ import annotations

import http.client
import ssl
from enum import StrEnum

import urllib3.exceptions

from blitzweb.errors import BlitzwebError, FetchFailed, FetchTimedOut


class Phase(StrEnum):
    """Where a request is; the values go into errors and into the text of a passed deadline."""

    DNS = "dns"
    CONNECT = "connect"
    TLS = "tls"
    SENDING = "sending"
    HEADERS = "headers"
    BODY = "body"


_DOING = {
    Phase.DNS: "looking up the name",
    Phase.CONNECT: "connecting",
    Phase.TLS: "setting up TLS",
    Phase.SENDING: "sending the request",
    Phase.HEADERS: "waiting for the response headers",
    Phase.BODY: "reading the body",
}

# OpenSSL's numbers of verification errors, each with what a person can do about it.
_CERTIFICATE = {
    9: ("the certificate is not valid yet", "check the clock of this machine"),
    10: ("the certificate has expired", "the site has to renew it"),
    18: ("the certificate is self-signed", "add it to network.ca_file if you trust it"),
    19: (
        "the certificate chain ends in an unknown, self-signed issuer",
        "add the issuer to network.ca_file if you trust it",
    ),
    20: ("the certificate's issuer is unknown", "add the issuer to network.ca_file if you trust it"),
    62: ("the certificate is for another host", "check the spelling of the host"),
    64: ("the certificate is for another address", "use the host's name instead of its address"),
}


class MalformedResponse(Exception):
    """Raised for a response that HTTP does not allow; the text says what is wrong with it, in words of ours."""


# What sockets, TLS, http.client and urllib3 raise; whatever else comes up is a fault of ours and is not dressed up.
FOREIGN = (
    BlitzwebError,
    MalformedResponse,
    OSError,
    EOFError,
    ValueError,  # http.client's, for numbers that are none
    http.client.HTTPException,
    urllib3.exceptions.HTTPError,
)


def describe(phase: Phase) -> str:
    """Return what is done in a phase, for texts."""
    return _DOING[phase]


def timed_out(phase: Phase, host: str, seconds: float) -> FetchTimedOut:
    """Return the failure of a deadline that passed."""
    return FetchTimedOut(
        f"timed out after {seconds:.3g} s while {_DOING[phase]} ({phase}) of {host}",
        phase=phase,
        advice="try again later, or raise web.timeout_seconds",
    )


def map_failure(error: Exception, phase: Phase, host: str, seconds: float) -> BlitzwebError:
    """Return what an exception means; ours pass as they are."""
    if isinstance(error, BlitzwebError):
        return error
    if isinstance(error, (TimeoutError, urllib3.exceptions.TimeoutError)):
        return timed_out(phase, host, seconds)
    if isinstance(error, ssl.SSLError):
        return _map_tls(error, host)
    text, advice = _explain(error, phase)
    return FetchFailed(f"{host}: {text} while {_DOING[phase]} ({phase})", phase=phase, advice=advice)


def _map_tls(error: ssl.SSLError, host: str) -> FetchFailed:
    if isinstance(error, ssl.SSLCertVerificationError):
        text, advice = _CERTIFICATE.get(error.verify_code, (f"the certificate was refused: {error.verify_message}", ""))
        return FetchFailed(f"TLS with {host} failed: {text} ({Phase.TLS})", phase=Phase.TLS, advice=advice)
    reason = (error.reason or "the connection was closed").lower().replace("_", " ")
    return FetchFailed(
        f"TLS with {host} failed: {reason} ({Phase.TLS})",
        phase=Phase.TLS,
        advice="the server may not speak TLS 1.2 or newer on this port",
    )


def _explain(error: Exception, phase: Phase) -> tuple[str, str]:  # noqa: PLR0911 (a table in code)
    """Return what happened, in a few words, and what to do."""
    if isinstance(error, MalformedResponse):
        return str(error), "the server's answer cannot be trusted; nothing of it was used"
    if isinstance(error, ConnectionRefusedError):
        return "the connection was refused", "nothing listens there; check host and port"
    if isinstance(error, (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError)):
        return "the server closed the connection", "try again later"
    if isinstance(error, (http.client.IncompleteRead, urllib3.exceptions.IncompleteRead)):
        return "the connection ended before the whole body had come", "try again later"
    if isinstance(error, urllib3.exceptions.DecodeError):
        return "the body is not what its Content-Encoding says", ""
    if (
        isinstance(error, urllib3.exceptions.ProtocolError)
        and len(error.args) > 1
        and isinstance(error.args[1], Exception)
    ):
        return _explain(error.args[1], phase)
    if isinstance(error, (http.client.HTTPException, urllib3.exceptions.HTTPError, ValueError)):
        return f"the response is malformed ({type(error).__name__})", "the server does not speak HTTP/1.1 as it should"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower(), "check this machine's network"
    return type(error).__name__, ""
