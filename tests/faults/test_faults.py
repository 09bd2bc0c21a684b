"""Every case runs under sanitizers: one that must fail names its defect, a look-alike stays silent.

Every case states what its report must say (cases.py). The line of a finding must be one that the case marks
with `# fault` (of a race, which has two sides, and of the origin of a NaN, a related site will do), a `born`
site one that it marks with `# born`. The whole report is held against reports/<kind>/<case>.txt and .json,
which `./dev bless` rewrites.
"""

import inspect
import json
import linecache
import os
import re
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

import cases  # noqa: E402
import trisect  # noqa: E402

CASES = cases.load()
REPORTS = FOLDER / "reports"
BLESS = os.environ.get("TRISECT_BLESS")
FAILING = [name for name, case in CASES.items() if case.fails]
SILENT = [name for name, case in CASES.items() if not case.fails]


def by_kind(names):
    return pytest.mark.parametrize(
        "name", [pytest.param(name, id=f"{CASES[name].kind}-{name}") for name in names]
    )


def kinds_for(case):
    """The default set, and the kind itself where that leaves it out."""
    named = ("redundant-store", "nan-origin")
    return ",".join(kind for kind in trisect.sanitizer.KINDS if kind not in named or kind == case.kind)


def normalised(text):
    for folder in (FOLDER, Path(trisect.__file__).resolve().parents[1]):
        text = text.replace(str(folder) + os.sep, "")
    return re.sub(r"0x[0-9a-f]{6,}", "0x...", text)


def compare(path, text):
    if BLESS:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"no stored report {path.name}; ./dev bless writes it"
    assert text == path.read_text(encoding="utf-8")


def marked(file, line, mark):
    return linecache.getline(file, line).rstrip().endswith(f"# {mark}")


def has_mark(case, mark):
    """Whether the case's file marks lines so in a function that the case launches."""
    source = inspect.getsource(sys.modules[case.launch.__module__])
    names = re.findall(r"(\w+)(?:\[|\()", inspect.getsource(case.launch))
    functions = re.split(r"\n(?=@|def )", source)
    return any(
        re.search(rf"\bdef {name}\(", part) and f"# {mark}\n" in part + "\n"
        for name in names
        for part in functions
    )


def program_id(program):
    return program if isinstance(program, tuple) else (program, 0, 0)


def check_facts(finding, expected):
    """What a case has worked out by hand, against what the report says."""
    if "program" in expected:
        assert finding.program_id == program_id(expected["program"])
    if "other" in expected:
        others = [site.program_id for site in finding.related if site.program_id != finding.program_id]
        assert others == [program_id(expected["other"])]
    for name in ("index", "lane", "lanes"):
        if name in expected:
            assert getattr(finding, name) == expected[name], name
    if "value" in expected:
        values = expected["value"] if isinstance(expected["value"], tuple) else (expected["value"],)
        assert [float(value) for value in finding.value.split(", ")] == pytest.approx(values, rel=1e-3)


@by_kind(FAILING)
def test_defect_is_reported(name):
    case = CASES[name]
    with pytest.raises(trisect.KernelFault) as caught:
        with trisect.sanitize(kinds_for(case), **case.settings):
            case.launch()
    fault = caught.value
    assert fault.kind == case.kind, fault.message
    if case.tensor is not None:
        named = fault.finding.tensor
        assert named is not None and named.name == case.tensor, fault.message
    if has_mark(case, "fault"):
        sites = [fault.finding.site]
        if case.kind in ("race", "redundant-store", "nan-origin"):
            sites += fault.finding.related
        assert any(marked(site.file, site.line, "fault") for site in sites), fault.message
    born = [site for site in fault.finding.related if site.role == "born"]
    if has_mark(case, "born"):
        assert any(marked(site.file, site.line, "born") for site in born), fault.message
    check_facts(fault.finding, case.expected)
    path = REPORTS / case.kind / name
    compare(path.with_suffix(".txt"), normalised(fault.message) + "\n")
    record = json.dumps(fault.finding.json(), indent=1)
    compare(path.with_suffix(".json"), normalised(record) + "\n")


@by_kind(SILENT)
def test_look_alike_is_silent(name):
    case = CASES[name]
    with trisect.sanitize(kinds_for(case), **case.settings) as session:
        case.launch()
    assert not session.findings


def test_there_are_enough_cases():
    assert len(FAILING) >= 150 and len(SILENT) >= 150


def test_no_report_is_left_over():
    stored = {path.stem for path in REPORTS.rglob("*") if path.is_file()}
    assert stored <= set(FAILING), f"reports without a case: {sorted(stored - set(FAILING))}"
