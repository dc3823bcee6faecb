"""What CDP's events mean for a tab: the one place where they are read. Runs in the reader thread; never blocks.

Loads of the main frame are decided here as far as no person is needed, dialogs are answered that nobody has to answer
(WEB-34, BROWSER-06), and a document that came past the guard is left at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from blitzweb.browser.failures import DialogOpened, PageClosed, PageCrashed
from blitzweb.browser.page_console import describe_call, describe_exception, describe_log
from blitzweb.browser.session import Session
from blitzweb.browser.tab import Dialog, DialogAnswer, PausedLoad, Tab
from blitzweb.browser.world import WORLD
from blitzweb.limits import MAX_DIALOG_CHARS
from blitzweb.policy.urls import UrlRefused, parse_url
from blitzweb.policy.verdicts import Ask, Go

Params = Mapping[str, Any]
BLANK: Final = ("about:blank", "")
_ERROR_PAGE: Final = "chrome-error:"


class TabEvents:
    """The handler of all sessions of one tab."""

    def __init__(self, tab: Tab, credentials: tuple[str, str], adopt: Callable[[Session, Params], None]) -> None:
        self._tab = tab
        self._credentials = credentials  # of the proxy
        self._adopt = adopt  # starts a frame's own session
        self._handlers: dict[str, Callable[[str, Params], None]] = {
            "Page.frameAttached": self._frame_attached,
            "Page.frameDetached": self._frame_detached,
            "Page.frameNavigated": self._frame_navigated,
            "Page.navigatedWithinDocument": self._moved_within,
            "Page.frameRequestedNavigation": self._requested,
            "Page.frameStartedNavigating": self._started,
            "Page.frameStartedLoading": self._started,
            "Page.frameStoppedLoading": self._stopped,
            "Page.lifecycleEvent": self._lifecycle,
            "Page.windowOpen": self._window_opened,
            "Page.javascriptDialogOpening": self._dialog_opening,
            "Page.javascriptDialogClosed": self._dialog_closed,
            "Page.fileChooserOpened": self._file_chooser,
            "Runtime.executionContextCreated": self._context_created,
            "Runtime.executionContextDestroyed": self._context_destroyed,
            "Runtime.executionContextsCleared": self._contexts_cleared,
            "Runtime.consoleAPICalled": self._console,
            "Runtime.exceptionThrown": self._exception,
            "Log.entryAdded": self._log,
            "Fetch.requestPaused": self._paused,
            "Fetch.authRequired": self._auth_required,
            "Network.requestWillBeSent": self._request_begun,
            "Network.responseReceived": self._request_answered,
            "Network.loadingFinished": self._request_finished,
            "Network.loadingFailed": self._request_finished,
            "ServiceWorker.workerRegistrationUpdated": self._worker_registered,
            "Target.attachedToTarget": self._attached,
            "Target.detachedFromTarget": self._detached,
            "Inspector.targetCrashed": self._crashed,
        }

    def handler(self, session: str) -> Callable[[str, Params], None]:
        """Return the function that takes a session's events."""

        def handle(method: str, params: Params) -> None:
            if found := self._handlers.get(method):
                with self._tab.changed:
                    found(session, params)
                    self._tab.changed.notify_all()

        return handle

    # --- frames and loads -------------------------------------------------------------------------------------------

    def _is_main(self, params: Params) -> bool:
        return bool(params.get("frameId") == self._tab.frames.main.id)

    def _frame_attached(self, session: str, params: Params) -> None:
        self._tab.frames.attach(params["frameId"], params.get("parentFrameId", ""), session)

    def _frame_detached(self, _session: str, params: Params) -> None:
        if params.get("reason") != "swap":  # it goes on in another process
            self._tab.frames.detach(params["frameId"])

    def _frame_navigated(self, session: str, params: Params) -> None:
        described = params["frame"]
        frame = self._tab.frames.navigate(described, session)
        if frame is None or frame is not self._tab.frames.main:
            return
        frame.url = described.get("unreachableUrl") or frame.url
        restored = params.get("type") == "BackForwardCacheRestore"
        self._tab.navigation.commit(described.get("loaderId", ""), restored=restored)
        self._leave_unless_approved(described.get("url", ""))

    def _leave_unless_approved(self, url: str) -> None:
        """Leave a document that came past the guard: a prerendered one, or one of a scheme that Fetch does not see."""
        if url in BLANK or url.startswith(_ERROR_PAGE) or host_of(url) in self._tab.hosts:
            return
        self._tab.refuse(f"{host_of(url) or url[:80]}: it was shown without having been approved, and was left")
        self._tab.session.send("Page.navigate", url="about:blank")

    def _moved_within(self, _session: str, params: Params) -> None:
        self._tab.frames.move_within(params["frameId"], params.get("url", ""))

    def _requested(self, _session: str, params: Params) -> None:
        if self._is_main(params) and params.get("disposition") == "currentTab":
            self._tab.navigation.request()

    def _started(self, _session: str, params: Params) -> None:
        if self._is_main(params):
            self._tab.navigation.begin(params.get("loaderId", ""))

    def _stopped(self, _session: str, params: Params) -> None:
        if self._is_main(params):
            self._tab.navigation.stop()

    def _lifecycle(self, _session: str, params: Params) -> None:
        if params.get("name") == "load" and self._is_main(params):
            self._tab.navigation.load(params.get("loaderId", ""))

    def _window_opened(self, _session: str, _params: Params) -> None:
        self._tab.windows_opened += 1

    # --- the guard --------------------------------------------------------------------------------------------------

    def _paused(self, session: str, params: Params) -> None:
        request, identity = params.get("request", {}), params["requestId"]
        if session != self._tab.session.id or not self._is_main(params):
            Session(self._tab.session.client, session).send("Fetch.continueRequest", requestId=identity)
            return
        url, method = str(request.get("url", "")), str(request.get("method", "GET"))
        verdict = self._tab.loads.decide(self._tab.host, url, method)
        if verdict is None or isinstance(verdict, Go):
            self._tab.approve(host_of(url))
            self._tab.continue_load(identity)
        elif isinstance(verdict, Ask) and self._tab.attendant is not None:
            self._tab.paused.append(PausedLoad(identity, url, method, verdict))
        else:
            self._refuse_load(identity, url, verdict)

    def _refuse_load(self, identity: str, url: str, verdict: Any) -> None:
        host = host_of(url)
        if isinstance(verdict, Ask):
            why = f"the page went there by itself, and no action was running to ask; navigate to {url[:200]} to ask"
        else:
            why = verdict.text
        self._tab.refuse(f"{host}: {why}")
        self._tab.stop_load(identity)

    def _auth_required(self, session: str, params: Params) -> None:
        """Give the proxy its token; a site that asks for a password gets none, and that is told."""
        challenge = params.get("authChallenge", {})
        answer: dict[str, Any] = {"response": "CancelAuth"}
        if challenge.get("source") == "Proxy":
            user, password = self._credentials
            answer = {"response": "ProvideCredentials", "username": user, "password": password}
        else:
            self._tab.note(f"{challenge.get('origin', 'the site')} asks for a user name and a password; none was given")
        sender = Session(self._tab.session.client, session)
        sender.send("Fetch.continueWithAuth", requestId=params["requestId"], authChallengeResponse=answer)

    # --- dialogs ----------------------------------------------------------------------------------------------------

    def _dialog_opening(self, session: str, params: Params) -> None:
        kind = str(params.get("type"))
        message = " ".join(str(params.get("message", "")).split())[:MAX_DIALOG_CHARS]  # no line of it looks like ours
        if kind in {"alert", "beforeunload"}:
            self._accept(session, kind, message)
            return
        answer, self._tab.next_answer = self._tab.next_answer, None
        if answer is not None:
            self._answer(session, answer, kind, message)
            return
        self._tab.dialog = Dialog(kind, message, str(params.get("defaultPrompt", "")), session)
        self._tab.interrupt(DialogOpened())

    def _accept(self, session: str, kind: str, message: str) -> None:
        Session(self._tab.session.client, session).send("Page.handleJavaScriptDialog", accept=True)
        if kind == "alert":
            self._tab.note(f'the page showed an alert: "{message}"')
        else:
            self._tab.note("the page asked whether to leave it, since it may lose what was entered; it was left")

    def _answer(self, session: str, answer: DialogAnswer, kind: str, message: str) -> None:
        params: dict[str, Any] = {"accept": answer.accept}
        if answer.text is not None:
            params["promptText"] = answer.text
        Session(self._tab.session.client, session).send("Page.handleJavaScriptDialog", **params)
        said = "accepted" if answer.accept else "dismissed"
        self._tab.note(f'the page asked ({kind}): "{message}"; it was {said}, as was said before')

    def _dialog_closed(self, _session: str, _params: Params) -> None:
        self._tab.dialog = None

    def _file_chooser(self, _session: str, _params: Params) -> None:
        self._tab.note("the page asks for a file; the action upload gives it one (selector, files)")

    # --- contexts and console ---------------------------------------------------------------------------------------

    def _context_created(self, _session: str, params: Params) -> None:
        context = params["context"]
        if context.get("name") == WORLD:
            self._tab.frames.set_world(context.get("auxData", {}).get("frameId", ""), context["id"])

    def _context_destroyed(self, session: str, params: Params) -> None:
        self._tab.frames.drop_worlds(session, params.get("executionContextId"))

    def _contexts_cleared(self, session: str, _params: Params) -> None:
        self._tab.frames.drop_worlds(session)

    def _console(self, _session: str, params: Params) -> None:
        self._tab.console.add(*describe_call(params))

    def _exception(self, _session: str, params: Params) -> None:
        self._tab.console.add(*describe_exception(params))

    def _log(self, _session: str, params: Params) -> None:
        self._tab.console.add(*describe_log(params))

    # --- requests ---------------------------------------------------------------------------------------------------

    def _request_begun(self, session: str, params: Params) -> None:
        self._tab.requests.begin(params, session)

    def _request_answered(self, _session: str, params: Params) -> None:
        self._tab.requests.respond(params)

    def _request_finished(self, _session: str, params: Params) -> None:
        self._tab.requests.finish(params)

    def _worker_registered(self, _session: str, params: Params) -> None:
        """Keep service workers out of what the page loads; that holds for as long as requests are told, not longer."""
        if params.get("registrations") and not self._tab.bypassing_workers:
            self._tab.bypassing_workers = True
            self._tab.session.send("Network.enable")
            self._tab.session.send("Network.setBypassServiceWorker", bypass=True)

    # --- sessions ---------------------------------------------------------------------------------------------------

    def _attached(self, _session: str, params: Params) -> None:
        """Take over a frame that is in another process. A worker waits too, and needs no more than to be let run."""
        session = Session(self._tab.session.client, params["sessionId"])
        if params["targetInfo"]["type"] == "worker":
            session.send("Runtime.runIfWaitingForDebugger")
            return
        self._tab.sessions[session.id] = session
        self._tab.frames.take_over(params["targetInfo"]["targetId"], session.id)
        self._adopt(session, params)

    def _detached(self, _session: str, params: Params) -> None:
        gone = params.get("sessionId", "")
        self._tab.sessions.pop(gone, None)
        self._tab.session.client.on(gone, None)
        self._tab.session.client.interrupt(PageClosed(), [gone])

    def _crashed(self, session: str, _params: Params) -> None:
        if session == self._tab.session.id:
            self._tab.crashed = True
            self._tab.interrupt(PageCrashed())


def host_of(url: str) -> str:
    """Return the canonical host of a URL; "" if it is none that may be shown at top level."""
    try:
        return parse_url(url).host
    except UrlRefused:
        return ""
