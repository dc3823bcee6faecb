"""The frames of a page, from CDP's events: which there are, what they show, and where their isolated world is.

Values only. A frame of another process has a CDP session of its own, and may come back under its parent's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class Frame:
    """One frame. `world` is the context of our isolated world there, 0 while it has none."""

    __slots__ = ("id", "loader", "parent", "session", "url", "world")

    def __init__(self, identity: str, parent: str, session: str) -> None:
        self.id = identity
        self.parent = parent  # "" for the main frame
        self.session = session
        self.url = ""
        self.loader = ""
        self.world = 0


class FrameTree:
    """Owned by a tab, which locks. Frames are in the order in which their parents list them."""

    def __init__(self, main: str, session: str) -> None:
        self.main = Frame(main, "", session)
        self._frames = {main: self.main}

    def __iter__(self) -> Iterator[Frame]:
        """Return the frames, each after its parent and before its parent's next child."""
        return iter(self._below(self.main))

    def __len__(self) -> int:
        """Return how many frames there are."""
        return len(self._frames)

    def get(self, identity: str) -> Frame | None:
        """Return a frame."""
        return self._frames.get(identity)

    def children(self, frame: Frame) -> list[Frame]:
        """Return the frames inside a frame."""
        return [one for one in self._frames.values() if one.parent == frame.id]

    def attach(self, identity: str, parent: str, session: str) -> None:
        """Take in a frame that was put into the page."""
        if identity not in self._frames and parent in self._frames:
            self._frames[identity] = Frame(identity, parent, session)

    def take_over(self, identity: str, session: str) -> None:
        """Note that a frame is in a process of its own from now on."""
        frame = self._frames.get(identity)
        if frame is not None:
            frame.session, frame.world = session, 0

    def navigate(self, described: Mapping[str, Any], session: str) -> Frame | None:
        """Note what a frame shows now; the frames inside it are gone."""
        frame = self._frames.get(described["id"])
        if frame is None:
            self.attach(described["id"], described.get("parentId", ""), session)
            frame = self._frames.get(described["id"])
        if frame is None:
            return None
        for child in self.children(frame):
            self.detach(child.id)
        frame.url = described.get("url", "") + described.get("urlFragment", "")
        frame.loader = described.get("loaderId", "")
        frame.session = session
        return frame

    def move_within(self, identity: str, url: str) -> None:
        """Note a new URL of the same document."""
        if frame := self._frames.get(identity):
            frame.url = url

    def detach(self, identity: str) -> None:
        """Forget a frame with all inside it."""
        frame = self._frames.get(identity)
        if frame is None or frame is self.main:
            return
        for child in self.children(frame):
            self.detach(child.id)
        del self._frames[identity]

    def load(self, tree: Mapping[str, Any], session: str) -> None:
        """Take in what Chrome says of a frame and those inside it."""
        self.navigate(tree["frame"], session)
        for child in tree.get("childFrames", ()):
            self.attach(child["frame"]["id"], tree["frame"]["id"], session)
            self.load(child, session)

    def set_world(self, identity: str, context: int) -> None:
        """Note the context of our isolated world in a frame."""
        if frame := self._frames.get(identity):
            frame.world = context

    def drop_worlds(self, session: str, context: int | None = None) -> None:
        """Note that contexts of a session are gone: one, or all."""
        for frame in self._frames.values():
            if frame.session == session and (context is None or frame.world == context):
                frame.world = 0

    def _below(self, frame: Frame) -> Iterator[Frame]:
        yield frame
        for child in self.children(frame):
            yield from self._below(child)
