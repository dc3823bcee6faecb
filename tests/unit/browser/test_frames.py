"""The tree of frames, from CDP's events."""

from __future__ import annotations

from blitzweb.browser.frames import FrameTree
from tests.support.covers import covers


def make_tree():
    tree = FrameTree("main", "s")
    tree.attach("a", "main", "s")
    tree.attach("b", "main", "s")
    tree.attach("a1", "a", "s")
    return tree


@covers("BROWSER-04")
def test_frames_come_after_their_parents_and_before_their_parents_next_child():
    assert [frame.id for frame in make_tree()] == ["main", "a", "a1", "b"]


def test_a_new_document_takes_the_frames_inside_it_away():
    tree = make_tree()
    tree.navigate({"id": "a", "url": "http://x/", "urlFragment": "#y", "loaderId": "l"}, "s")
    assert [frame.id for frame in tree] == ["main", "a", "b"]
    assert (tree.get("a").url, tree.get("a").loader) == ("http://x/#y", "l")
    tree.navigate({"id": "main", "url": "http://y/"}, "s")
    assert [frame.id for frame in tree] == ["main"]


def test_the_main_frame_stays():
    tree = make_tree()
    tree.detach("main")
    tree.detach("a")
    assert [frame.id for frame in tree] == ["main", "b"]
    assert len(tree) == 2


def test_frames_of_unknown_parents_are_left_out():
    tree = make_tree()
    tree.attach("x", "nobody", "s")
    assert tree.navigate({"id": "y", "parentId": "nobody"}, "s") is None
    assert tree.navigate({"id": "z", "parentId": "b", "url": "u"}, "s").parent == "b"


def test_worlds_go_with_their_contexts():
    tree = make_tree()
    tree.take_over("b", "other")
    for number, identity in enumerate(["main", "a", "b"], 1):
        tree.set_world(identity, number)
    tree.drop_worlds("s", 2)
    assert [tree.get(one).world for one in ("main", "a", "b")] == [1, 0, 3]
    tree.drop_worlds("s")
    assert [tree.get(one).world for one in ("main", "a", "b")] == [0, 0, 3]
    tree.move_within("b", "http://z/")
    assert tree.get("b").url == "http://z/"


def test_a_whole_tree_is_taken_in():
    tree = FrameTree("main", "s")
    tree.load(
        {"frame": {"id": "main", "url": "u"}, "childFrames": [{"frame": {"id": "c", "parentId": "main", "url": "v"}}]},
        "s",
    )
    assert [(frame.id, frame.url) for frame in tree] == [("main", "u"), ("c", "v")]
