"""The check of variables finds those beside the table, and rows that nothing reads."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / ".dev" / "lint"))

import variables

FILES = {
    variables.TABLE: 'TRISECT_OPTION(Tier, "TRISECT_TIER", Text, "", "", "")\n'
    'TRISECT_OPTION(Home, "HOME", Path, "", "", "")\n'
    'TRISECT_OPTION(Ptxas, "TRITON_PTXAS_PATH", Path, "", "", "")\n'
    'TRISECT_IDLE_OPTION(Amd, "AMDGCN_ENABLE_DUMP", Flag, "", "0", "")\n',
    "core/a.cpp": "optionText(OptionId::Tier)",
    "core/b.cpp": 'std::getenv("HOME")',
    "python/trisect/a.py": 'ptxas = env_nvidia_tool("ptxas")\nos.environ["ANY"] = "1"',
}


def problems(**changed):
    return variables.check(FILES | {name.replace("__", "/").replace("_dot_", "."): text
                                    for name, text in changed.items()})  # fmt: skip


def test_what_the_table_has_and_code_reads_is_fine():
    assert problems() == []


def test_variables_beside_the_table_are_found():
    assert problems(core__c_dot_cpp='getenv("OTHER")') == [
        "core/c.cpp: reads OTHER with getenv, not as an option of core/support/Options.def"
    ]
    assert problems(core__c_dot_cpp='getenv("TRISECT_TIER")') != []
    assert problems(core__c_dot_cpp="getenv(name)") != []
    for text in ('os.getenv("OTHER")', 'os.environ["OTHER"]', 'env_bool("OTHER")', 'env_class(\n    "OTHER"'):
        assert problems(python__trisect__b_dot_py=text) == [
            "python/trisect/b.py: reads OTHER, which has no row in core/support/Options.def"
        ]


def test_rows_that_nothing_reads_are_found():
    files = FILES | {"core/a.cpp": ""}
    assert variables.check(files) == ["core/support/Options.def: nothing reads TRISECT_TIER"]


def test_the_program_is_clean():
    assert variables.main() == 0
