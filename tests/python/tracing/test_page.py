"""The page of a trace in a real browser: every part is drawn, clicks change it, nothing is requested."""

import json
import subprocess
import sys
import textwrap

import pytest

SCRIPT = """
    import numpy as np
    import triton
    import triton.language as tl

    @triton.jit
    def copy(x, out, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, tl.load(x + at, at < n), at < n)

    @triton.jit
    def half(x, out, BLOCK: tl.constexpr):
        at = tl.arange(0, BLOCK)
        tl.store(out + at * 2, tl.load(x + at))

    x, out = np.arange(100, dtype=np.float32), np.zeros(100, np.float32)
    copy[(4,)](x, out, 100, BLOCK=32)
    half[(1,)](x, out, BLOCK=32)
    """


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trace")
    script = folder / "script.py"
    script.write_text(textwrap.dedent(SCRIPT))
    command = [sys.executable, "-m", "trisect", "trace", script, "-o", folder / "page.html",
               "--perfetto", folder / "page.json"]  # fmt: skip
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stderr.strip() == f"2 launches drawn in {folder / 'page.html'}"
    return folder / "page.html"


@pytest.fixture(scope="module")
def browser(page, open_page):
    return open_page(page, "1400,1800")


def find(browser, selector):
    return browser.find_elements("css selector", selector)


def touched(browser):
    return [int(canvas.get_attribute("data-touched")) for canvas in find(browser, "#planes canvas")]


def test_every_part_is_drawn(browser):
    find(browser, "#launches button")[0].click()
    assert [button.text.split()[1] for button in find(browser, "#launches button")] == ["copy", "half"]
    assert find(browser, "#grid-text")[0].text.startswith("4 x 1 x 1 = 4 programs")
    assert [caption.text.split()[0] for caption in find(browser, "figcaption")] == ["x", "out"]
    assert touched(browser) == [100, 100]
    assert len(find(browser, "#accesses tbody tr")) == 2
    assert any("tl.store(out + at" in code.text for code in find(browser, "#lines code"))
    assert len(find(browser, "#timeline rect")) > 8
    assert not find(browser, "#accesses .bad")


def test_another_launch_is_shown_by_a_click(browser):
    find(browser, "#launches button")[1].click()
    assert touched(browser) == [32, 32]
    (wasteful,) = find(browser, "#accesses .bad")
    assert float(wasteful.text) >= 8
    assert "stride 2" in find(browser, "#accesses")[0].text


def test_one_access_is_shown_alone_by_a_click(browser):
    find(browser, "#launches button")[0].click()
    find(browser, "#accesses tbody tr")[0].click()
    assert touched(browser) == [100, 0]
    assert "chosen" in find(browser, "#accesses tbody tr")[0].get_attribute("class")
    find(browser, "#accesses tbody tr")[0].click()
    assert touched(browser) == [100, 100]


def test_the_cell_under_the_pointer_is_told(browser):
    from selenium.webdriver import ActionChains

    find(browser, "#launches button")[0].click()
    ActionChains(browser).move_to_element_with_offset(find(browser, "#planes canvas")[0], 0, -20).perform()
    assert "1 reads, 0 writes" in find(browser, "#under")[0].text


def test_the_page_is_alone_and_without_errors(browser, page):
    requested = [
        message["params"]["request"]["url"]
        for entry in browser.get_log("performance")
        if (message := json.loads(entry["message"])["message"])["method"] == "Network.requestWillBeSent"
    ]
    assert requested == [page.as_uri()]
    assert browser.get_log("browser") == []


def test_the_perfetto_file_has_a_slice_an_operation(page):
    events = json.loads(page.with_suffix(".json").read_text())["traceEvents"]
    slices = [event for event in events if event["ph"] == "X"]
    assert {event["tid"] for event in slices} == {0, 1, 2, 3}
    assert any(event["name"].startswith("tt.load") for event in slices)
