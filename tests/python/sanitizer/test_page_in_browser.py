"""The page of findings in a real browser: all is drawn, in both colour schemes, and nothing is requested."""

import json

import pytest

import trisect as triton
import trisect.language as tl
from trisect.sanitizer import Finding
from trisect.sanitizer.page import page


@triton.jit
def half_a_row_too_far(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    tl.store(out + row * columns + lanes, tl.load(x + row * columns + lanes + BLOCK) * 2.0)


def real_findings():
    """Of a launch: rows of 16, of which each program reads the second half and writes the first."""
    torch = pytest.importorskip("torch")
    with triton.sanitize(policy=3) as session:
        half_a_row_too_far[(5,)](torch.zeros(4, 16), torch.zeros(5, 16), 16, BLOCK=8)
    return session.findings


@pytest.fixture
def browser(facts, tmp_path, open_page):
    facts |= {"touched": bytes([1] * 8 + [3] * 8 + [0] * 16), "grid": (6, 2, 1)}
    facts["variables"] = [("offsets", "i32[32] [ 0  1  2 ... 29 30 31] from 0 to 31")]
    race = facts | {"kind": "race", "headline": "two programs store x[1, 2]", "index": [1, 2], "distance": 0}
    race["related"] = [facts["related"][0] | {"role": "other", "program_id": (0, 0, 0)}]
    (tmp_path / "page.html").write_text(
        page([Finding.of(facts), Finding.of(race), *real_findings()]), encoding="utf-8"
    )
    return open_page(tmp_path / "page.html", "1200,1600")


def test_page(browser):
    def find(selector):
        return browser.find_elements("css selector", selector)

    kinds = [article.get_attribute("data-kind") for article in find("article")]
    assert kinds == ["out-of-bounds", "race", "out-of-bounds"]
    assert [
        len(find(f"#finding-{n} figure.tensor .{kind}")) for n, kind in ((1, "read"), (1, "written"))
    ] == [8, 8]
    assert len(find("#finding-1 figure.tensor .bad")) == len(find("#finding-2 figure.tensor .bad")) == 1
    assert (
        len(find("#finding-1 figure.grid rect")) == 12 and len(find("#finding-2 figure.grid .related")) == 1
    )
    touched = {kind: len(find(f"#finding-3 figure.tensor .{kind}")) for kind in ("read", "missed", "bad")}
    assert touched == {"read": 4 * 8, "missed": 4 * 8, "bad": 1}
    assert len(find("#finding-3 figure.grid .bad")) == 1 and len(find("#finding-3 figure.grid rect")) == 5
    assert (
        find("#finding-3 figure.tensor .read")[0].rect["x"]
        > find("#finding-3 figure.tensor .missed")[0].rect["x"]
    )
    names = [cell.text for cell in find("#finding-3 table.variables td:first-child")]
    assert {"x", "out", "columns", "row", "lanes"} <= set(names)
    for picture in find("svg"):
        box = picture.rect
        assert box["width"] > 20 and box["height"] > 5
    outside, inside = find("#finding-1 figure.tensor .bad")[0], find("#finding-1 figure.tensor .missed")[-1]
    assert outside.rect["y"] > inside.rect["y"]
    assert find("#finding-1 .guilty mark")[0].text == "tl.load(x + offsets, mask=offsets <= n)"
    assert find("#finding-1 table.variables td")[0].text == "offsets"
    light = find("body")[0].value_of_css_property("background-color")
    scheme = [{"name": "prefers-color-scheme", "value": "dark"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
    assert find("body")[0].value_of_css_property("background-color") != light
    assert browser.get_log("browser") == []
    requests = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    urls = [
        request["params"]["request"]["url"]
        for request in requests
        if request["method"] == "Network.requestWillBeSent"
    ]
    assert all(url.startswith(("file:", "data:")) for url in urls)
