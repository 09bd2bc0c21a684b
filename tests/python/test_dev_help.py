"""`./dev COMMAND --help` says what the command is for, and does nothing else."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMANDS = sorted(path.stem for path in (ROOT / ".dev" / "commands").glob("*.sh"))


def dev(*words):
    return subprocess.run([ROOT / "dev", *words], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("asked", ["--help", "-h"])
def test_help_of_a_command(command, asked):
    told = dev(command, asked)
    assert told.returncode == 0
    assert told.stdout.startswith(f"{command} ") or told.stdout.startswith(f"{command}:")
    assert not told.stderr


def test_all_commands_are_listed():
    told = dev("--help").stdout
    assert [name for name in COMMANDS if f"\n  {name} " not in told] == []


def test_help_of_a_benchmark_without_options():
    told = dev("bench", "cpu_compile", "--help")
    assert told.returncode == 0 and told.stdout.startswith("What compiling for this processor takes")


def test_arguments_that_a_benchmark_does_not_take():
    told = dev("bench", "cpu_compile", "softmax")
    assert told.returncode == 1 and "cpu_compile takes no arguments" in told.stderr
