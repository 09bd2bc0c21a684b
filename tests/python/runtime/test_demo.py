"""The demo: kernels written in Python end in a compiled tier that was compared with tier 0."""

import re

from trisect import demo


def test_demo_promotes_after_an_equal_comparison(capsys, monkeypatch):
    monkeypatch.delenv("TRISECT_TIER", raising=False)
    monkeypatch.setenv("TRISECT_BUNDLES", "")
    assert demo.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines[1:4]] == ["vector add", "softmax", "matmul"]
    assert re.search(r"equal, [1-9]\d* programs, [1-9][\d,]* bytes", lines[1])
    assert lines[-1].endswith("0 wrong")
    text = "\n".join(lines)
    assert "withdrawn: withdrew difference from cpu: different at out[" in text
    assert "the launch ran in interp, its result is right" in text
