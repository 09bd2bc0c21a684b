"""Findings as text, JSON and pages, made from facts as the interpreter hands them over."""

import html.parser
import json
import pickle
import re

from trisect.errors import KernelFault
from trisect.sanitizer import KINDS, Finding
from trisect.sanitizer.page import page
from trisect.sanitizer.text import render
from trisect.sanitizer.wording import WORDING


def test_text_has_five_parts(facts):
    lines = Finding.of(facts).text().splitlines()
    assert lines[0] == "out-of-bounds: load reads x[4, 0], 0 bytes behind its end"
    assert "in kernel kernel, program (2, 1, 0)" in lines[1] and "kernel.py:5:9" in lines[1]
    assert lines[2].strip() == "y = tl.load(x + offsets, mask=offsets <= n)"
    assert lines[3].index("^") == lines[2].index("tl.load")
    assert lines[3].strip() == "^" + "~" * (len("tl.load(x + offsets, mask=offsets <= n)") - 1)
    text = "\n".join(lines)
    assert re.search(r"called from .*kernel.py:6:5", text)
    assert "x: fp32 of shape (4, 8), strides (8, 1)" in text
    assert "lane (7,) of the block (32,), and 2 more lanes" in text
    assert re.search(r"born: the index is made at .*kernel.py:4:15", text)
    assert sum(line.startswith("  whose bug: ") for line in lines) == 1
    assert lines[-1].startswith("  to see more: ") and max(map(len, lines[-4:])) <= 100


def test_colour_only_when_asked(facts):
    finding = Finding.of(facts)
    assert "\033[" not in render(finding)
    coloured = render(finding, colour=True)
    assert coloured.startswith("\033[1;31mout-of-bounds:\033[0m")
    assert re.sub(r"\033\[[0-9;]*m", "", coloured) == render(finding)


def test_unreadable_source_leaves_the_excerpt_out(facts):
    facts["site"]["position"] = ("/nowhere/kernel.py", 5, 9)
    text = Finding.of(facts).text()
    assert "/nowhere/kernel.py:5:9" in text and "^" not in text.split("born")[0]


def test_json_has_no_addresses(facts):
    record = Finding.of(facts).json()
    assert json.loads(json.dumps(record)) == record
    assert record["index"] == [4, 0] and record["tensor"]["shape"] == [4, 8]
    assert record["related"][0]["role"] == "born" and record["site"]["line"] == 5
    text = json.dumps(record)
    for address in (facts["tensor"]["address"], facts["address"]):
        assert str(address) not in text and f"{address:x}" not in text.lower()


class Structure(html.parser.HTMLParser):
    """Open elements by tag, classes seen, and links to elsewhere."""

    def __init__(self):
        super().__init__()
        self.open, self.classes, self.links = [], [], []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.classes += (attrs.get("class") or "").split()
        self.links += [attrs[name] for name in ("src", "href") if name in attrs]
        if tag not in ("meta", "br", "rect", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in ("rect",):
            assert self.open.pop() == tag


def test_page_shows_tensor_grid_and_source(facts):
    facts["variables"] = [("offsets", "i32[32] [ 0  1  2 ... 29 30 31] from 0 to 31")]
    facts["touched"] = bytes([1] * 8 + [3] * 8 + [0] * 16)
    facts["grid"] = (6, 2, 1)
    text = page([Finding.of(facts)])
    structure = Structure()
    structure.feed(text)
    assert structure.open == [] and structure.links == []
    tensor = text.split('<figure class="tensor">')[1].split("</figure>")[0]
    assert tensor.count('class="bad"') == 1 and "[4, 0]</title>" in tensor
    assert tensor.count('class="read"') == 8 and tensor.count('class="written"') == 8
    assert tensor.count('class="missed"') == 16
    grid = text.split('<figure class="grid">')[1].split("</figure>")[0]
    assert grid.count('class="bad"') == 2 and grid.count("<rect") == 12
    assert 'class="row guilty"' in text and "<mark>tl.load(x + offsets, mask=offsets &lt;= n)</mark>" in text
    assert "<td>[ 0  1  2 ... 29 30 31] from 0 to 31</td>" in text


def test_page_of_nothing():
    assert "No findings" in page([])


def test_large_tensors_show_a_window(facts):
    facts["tensor"] |= {"shape": [1000, 1000], "strides": [1000, 1]}
    facts["index"] = [500, 1000]
    text = page([Finding.of(facts)])
    assert text.count("<rect") < 4000 and 'class="bad"' in text


def test_scalars_and_vectors_have_pictures(facts):
    for shape, index in (([], []), ([5], [5]), ([500], [500]), ([2, 3, 4], [1, 3, 0])):
        facts["tensor"] |= {"shape": shape, "strides": [1] * len(shape)}
        facts["index"] = index
        assert '<figure class="tensor">' in page([Finding.of(facts)])


def test_every_kind_has_wording(facts):
    from trisect._C import runtime

    runtime.set_sanitize("all")
    try:
        known, _ = runtime.sanitizing()
    finally:
        runtime.set_sanitize(None)
    assert set(known) <= set(KINDS) == set(WORDING)
    for kind in KINDS:
        assert Finding.of(facts | {"kind": kind}).text().startswith(f"{kind}:")


def test_fault_without_facts_has_a_report():
    text = "assertion failed: too large\n  at kernel.py:7:3, in program (1, 0, 0) of kernel f\n"
    fault = KernelFault(
        f"assert: {text}", kind="assert", kernel="f", file="kernel.py", line=7, program_id=(1, 0, 0)
    )
    lines = str(fault).splitlines()
    assert lines[0] == "assert: assertion failed: too large"
    assert lines[1] == "  in kernel f, program (1, 0, 0), kernel.py:7"
    assert fault.message == str(fault)


def test_fault_survives_pickling(facts):
    fault = KernelFault("short", kind="out-of-bounds", kernel="kernel", line=5, finding=facts)
    again = pickle.loads(pickle.dumps(fault))
    assert again.message == fault.message and again.finding == fault.finding
    assert (again.kind, again.kernel, again.line) == ("out-of-bounds", "kernel", 5)


def test_fault_writes_its_page(facts, tmp_path):
    fault = KernelFault("short", kind="out-of-bounds", kernel="kernel", finding=facts)
    fault.save_html(tmp_path / "fault.html")
    assert (tmp_path / "fault.html").read_text() == fault.html()
