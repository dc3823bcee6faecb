"""A browser that is driven by its digest tools; the last digest is at hand."""

from __future__ import annotations

from typing import Any

from tests.support.browsing import Browsing
from tests.support.host import request


class Digesting(Browsing):
    """`call` runs a tool and remembers the digest that it gave."""

    def __init__(self, **settings: Any) -> None:
        browser = {"interface": "both", **settings.pop("browser", {})}
        super().__init__(browser=browser, **settings)
        self.last: dict[str, Any] = {}
        self._calls = 0

    def call(self, name: str, **arguments: Any) -> Any:
        """Run a digest tool and return its result; the actions of `browser` still have their own names."""
        if not name.startswith("browser_"):
            return super().call(name, **arguments)
        self._calls += 1
        identity = f"digest-{self._calls}"
        self.host.send(request(identity, "tools/call", {"name": name, "arguments": arguments}))
        message = self.await_answer(identity)
        assert "result" in message, message
        if "generation" in message["result"]["output"]:
            self.last = message["result"]["output"]
        return message["result"]

    @property
    def generation(self) -> int:
        """The generation of the last digest."""
        return int(self.last["generation"])

    @property
    def elements(self) -> list[dict[str, Any]]:
        """What the last digest listed."""
        return list(self.last.get("elements", ()))

    def index(self, name: str) -> int:
        """Return the index of the one element of a name."""
        (found,) = [one for one in self.elements if one["name"] == name]
        return int(found["index"])

    def navigate(self, url: str, **more: Any) -> Any:
        """Load a page."""
        return self._checked("browser_navigate", fails=False, url=url, **more)

    def state(self, **arguments: Any) -> Any:
        """Look again."""
        return self._checked("browser_state", fails=False, **arguments)

    def click(self, name: str, *, fails: bool = False) -> Any:
        """Click the one element of a name."""
        return self._checked("browser_click", fails=fails, index=self.index(name), generation=self.generation)

    def fill(self, name: str, text: str, *, fails: bool = False, **more: Any) -> Any:
        """Fill the one field of a name."""
        arguments = {"index": self.index(name), "generation": self.generation, "text": text, **more}
        return self._checked("browser_fill", fails=fails, **arguments)

    def _checked(self, name: str, *, fails: bool, **arguments: Any) -> Any:
        result = self.call(name, **arguments)
        assert result["is_error"] is fails, result
        return result
