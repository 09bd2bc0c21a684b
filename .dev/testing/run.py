"""Runs the test suites of this repository and prints one table of what they did.

What: GoogleTest programs known to ctest, lit over tests/ir and tests/passes, the run tests of tests/ops on
tier 0 (on every ISA level) and tier 1, pytest over tests/python and tests/faults, and, in an emulator of a
64-bit Arm processor, the GoogleTests of the rooms without MLIR (tests/arm) and the run tests on tier 1. Each
writes JUnit XML under build/test-results, whole outputs lie beside. With --preset debug or tsan, the
GoogleTests and the run tests of tier 0 under sanitizers.
Why: one line with true counts at the end, and no suite that silently ran nothing.
Limits: a suite that takes longer than its time limit is stopped and counts as failed.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from report import SuiteResult, print_report

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "release"
RESULTS = ROOT / "build" / "test-results"
#: MLIR and LLVM are not instrumented: what happens inside them is not judged.
SUPPRESSIONS = ROOT / ".dev" / "testing" / "tsan.txt"
JOBS = os.cpu_count() or 1
LIMIT_SECONDS = 1200
#: ISA level: what /proc/cpuinfo calls the instructions that mark it.
ISA_FLAGS = {"v2": "sse4_2", "avx2": "avx2", "avx512": "avx512f"}
#: Runs programs of a 64-bit Arm processor, whose libraries are a package beside the compiler's.
ARM_EMULATOR = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]
#: This tree's package comes before any that the environment knows.
ENVIRONMENT = os.environ | {
    "PYTHONPATH": str(ROOT / "python"),
    # Children of a process with threads start threads of their own.
    "TSAN_OPTIONS": f"suppressions={SUPPRESSIONS}:die_after_fork=0:{os.environ.get('TSAN_OPTIONS', '')}",
    "UBSAN_OPTIONS": f"print_stacktrace=1:{os.environ.get('UBSAN_OPTIONS', '')}",
}


def run(log: Path, command: list[str]) -> tuple[int, str]:
    """Runs a command from the repository root; returns its exit status and the end of its output."""
    with open(log, "w") as out:
        try:
            status = subprocess.run(
                command,
                cwd=ROOT,
                env=ENVIRONMENT,
                stdout=out,
                stderr=subprocess.STDOUT,
                timeout=LIMIT_SECONDS,
            ).returncode
        except subprocess.TimeoutExpired:
            status = 124
            print(f"stopped after {LIMIT_SECONDS} s", file=out)
        except OSError as error:
            status = 127
            print(error, file=out)
    return status, "\n".join(log.read_text(errors="replace").splitlines()[-60:])


def collect(suite: SuiteResult, label: str, command: list[str], xml: Path, may_be_empty: bool) -> None:
    """Runs one command that writes `xml`; whatever goes wrong outside a test case is a failure of its own."""
    log = xml.with_suffix(".log")
    status, tail = run(log, command)
    failed_before = len(suite.failed)
    try:
        cases = suite.add_xml(xml) if xml.exists() else 0
    except Exception as error:  # a half-written file after a crash
        cases = 0
        suite.failed.append(f"{label}: unreadable results: {error}")
    if cases == 0 and not may_be_empty:
        suite.failed.append(f"{label}: ran no test (exit status {status})")
    elif status != 0 and len(suite.failed) == failed_before and not (cases == 0 and may_be_empty):
        suite.failed.append(f"{label}: exit status {status} without a failed test")
    if len(suite.failed) > failed_before:
        print(f"---- {label} (whole output: {log.relative_to(ROOT)})\n{tail}", flush=True)


def unit(suite: SuiteResult, pattern: str | None) -> None:
    """The GoogleTest programs that CMake declares: a stale one is not run, a missing one is noticed."""
    listing = subprocess.run(
        ["ctest", "--test-dir", str(BUILD), "--show-only=json-v1"], capture_output=True, text=True, check=True
    )
    programs = [entry["name"] for entry in json.loads(listing.stdout)["tests"]]
    if not programs:
        suite.failed.append("no GoogleTest program is declared")

    def one(name: str) -> None:
        xml = RESULTS / f"{name}.xml"
        command = [str(BUILD / "tests" / name), f"--gtest_output=xml:{xml}", "--gtest_brief=1"]
        if pattern and pattern not in name:
            command.append(f"--gtest_filter=*{pattern}*")
        collect(suite, name, command, xml, may_be_empty=bool(pattern))

    with ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(one, programs))


def lit(suite: SuiteResult, pattern: str | None) -> None:
    xml = RESULTS / "lit.xml"
    folders = [f"tests/{name}" for name in ("ir", "passes") if (ROOT / "tests" / name).is_dir()]
    command = [sys.executable, "-c", "from lit.main import main; main()", "-q", f"-j{JOBS}"]
    command += [f"--xunit-xml-output={xml}", *folders]
    if pattern:
        command += ["--filter", pattern, "--allow-empty-runs"]
    collect(suite, "lit", command, xml, may_be_empty=bool(pattern))


def op_files(pattern: str | None) -> list[str]:
    files = sorted((ROOT / "tests" / "ops").rglob("*.ttir"))
    return [str(file.relative_to(ROOT)) for file in files if not pattern or pattern in file.name]


def isa_levels() -> list[str]:
    """The ISA levels of the block kernels that this build and machine have."""
    if BUILD.name == "tsan":
        return ["scalar"]
    flags = Path("/proc/cpuinfo").read_text().split()
    return ["scalar", *(level for level, flag in ISA_FLAGS.items() if flag in flags)]


def ops(suite: SuiteResult, pattern: str | None) -> None:
    if not (files := op_files(pattern)) and pattern:
        return
    for level in isa_levels():
        xml = RESULTS / f"ops-{level}.xml"
        command = ["env", f"TRISECT_ISA={level}", str(BUILD / "bin" / "trisect-run"), "--test"]
        collect(suite, f"trisect-run {level}", [*command, f"--xunit={xml}", *files], xml, may_be_empty=False)


def cpu(suite: SuiteResult, pattern: str | None) -> None:
    """The same files on tier 1, a process a core; what it refuses is skipped with its reason."""
    files = op_files(pattern)

    def one(part: int) -> None:
        xml = RESULTS / f"cpu{part}.xml"
        command = [str(BUILD / "bin" / "trisect-check"), "--tier", "cpu", f"--xunit={xml}"]
        collect(suite, "trisect-check", command + files[part::JOBS], xml, may_be_empty=False)

    with ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(one, range(min(JOBS, len(files)))))


def cuda(suite: SuiteResult, pattern: str | None) -> None:
    """The same files on tier 2, in the emulator: threads in turn and in eight drawn orders."""
    files = op_files(pattern)

    def one(part: int) -> None:
        xml = RESULTS / f"cuda{part}.xml"
        command = [str(BUILD / "bin" / "trisect-check"), "--tier", "cuda", "--seeds", "8", f"--xunit={xml}"]
        collect(suite, "trisect-check", command + files[part::JOBS], xml, may_be_empty=False)

    with ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(one, range(min(JOBS, len(files)))))


def pytest(suite: SuiteResult, pattern: str | None) -> None:
    xml = RESULTS / "pytest.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(JOBS), f"--junit-xml={xml}"]
    command += ["tests/python", "tests/faults"]
    if pattern:
        command += ["-k", pattern]
    collect(suite, "pytest", command, xml, may_be_empty=bool(pattern))


def arm(suite: SuiteResult, pattern: str | None) -> None:
    """64-bit Arm in an emulator: tier 0's kernels, neon against the scalar level, and memory; then tier 1.

    Tests that start their own program anew cannot: it would be run without the emulator.
    """
    build = ROOT / "build" / "arm"
    toolchain = ROOT / ".dev" / "cmake" / "Aarch64.cmake"
    configure = [
        "cmake",
        "-S",
        "tests/arm",
        "-B",
        str(build),
        "-G",
        "Ninja",
        f"-DCMAKE_TOOLCHAIN_FILE={toolchain}",
    ]
    for step, command in (("configure", configure), ("build", ["ninja", "-C", str(build)])):
        log = RESULTS / f"arm-{step}.log"
        status, tail = run(log, command)
        if status:
            suite.failed.append(f"{step} for Arm: exit status {status}")
            print(f"---- {step} for Arm (whole output: {log.relative_to(ROOT)})\n{tail}", flush=True)
            return
    listing = subprocess.run(
        ["ctest", "--test-dir", str(build), "--show-only=json-v1"], capture_output=True, text=True, check=True
    )
    for entry in json.loads(listing.stdout)["tests"]:
        xml = RESULTS / f"arm-{entry['name']}.xml"
        command = [*entry["command"], f"--gtest_output=xml:{xml}", "--gtest_brief=1"]
        chosen = f"*{pattern}*" if pattern else "*"
        command.append(f"--gtest_filter={chosen}-*DeathTest.*:*/v2:*/avx2:*/avx512")
        collect(suite, f"{entry['name']} for Arm", command, xml, may_be_empty=bool(pattern))
    run_tests_for_arm(suite, pattern, build / "bin" / "trisect-cpu-worker")


def run_tests_for_arm(suite: SuiteResult, pattern: str | None, worker: Path) -> None:
    """The run tests on tier 1 for 64-bit Arm, whose code a worker in the emulator launches."""
    files = op_files(pattern)
    emulator = " ".join([*ARM_EMULATOR, str(worker)])

    def one(part: int) -> None:
        xml = RESULTS / f"arm-cpu{part}.xml"
        command = [str(BUILD / "bin" / "trisect-check"), "--machine", "aarch64", "--emulator", emulator]
        collect(
            suite,
            "trisect-check for Arm",
            [*command, f"--xunit={xml}", *files[part::JOBS]],
            xml,
            may_be_empty=False,
        )

    with ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(one, range(min(JOBS, len(files)))))


SUITES: dict[str, Callable[[SuiteResult, str | None], None]] = {
    "unit": unit,
    "lit": lit,
    "ops": ops,
    "cpu": cpu,
    "cuda": cuda,
    "python": pytest,
    "arm": arm,
}


#: What a sanitized build runs: the rest spends its time in Python or in code that is not instrumented.
SANITIZED = ("unit", "ops")


def main() -> int:
    global BUILD
    parser = argparse.ArgumentParser(description="run all test suites")
    parser.add_argument("--filter", help="a suite, or a part of a test's name or file")
    parser.add_argument("--preset", default="release", choices=("release", "debug", "tsan"))
    arguments = parser.parse_args()
    pattern = arguments.filter
    BUILD = ROOT / "build" / arguments.preset
    chosen = SUITES if arguments.preset == "release" else {name: SUITES[name] for name in SANITIZED}
    if pattern in SUITES:
        chosen, pattern = {pattern: SUITES[pattern]}, None
    shutil.rmtree(RESULTS, ignore_errors=True)
    RESULTS.mkdir(parents=True)
    results = []
    for name, execute in chosen.items():
        suite = SuiteResult(name)
        started = time.monotonic()
        execute(suite, pattern)
        suite.seconds = time.monotonic() - started
        results.append(suite)
    return print_report(results)


if __name__ == "__main__":
    sys.exit(main())
