"""Files that stages of a compilation go to and come from, when somebody asks for it.

What: TRITON_KERNEL_DUMP writes every stage to a folder, TRITON_KERNEL_OVERRIDE and the launch option
`ir_override` put a file in the place of a stage, USE_IR_LOC makes lines point into the text of one.
Limits: a stage is replaced whole; lines of a file that was put in are those that it says.
"""

from __future__ import annotations

import hashlib
import os
import warnings
from pathlib import Path

from trisect import knobs
from trisect._env import getenv, parse_bool
from trisect.errors import InvalidInput
from trisect.runtime.cache import get_dump_manager, get_override_manager

#: Stages whose text lines can point into.
LOCATED = ("ttir", "ttgir")


def located_stage() -> str | None:
    """The stage into whose text lines are to point, if USE_IR_LOC names one."""
    older = parse_bool("USE_TTGIR_LOC", getenv("USE_TTGIR_LOC", "0"))
    stage = knobs.compilation.use_ir_loc or ("ttgir" if older else None)
    if stage not in (None, *LOCATED):
        raise InvalidInput(f"USE_IR_LOC='{stage}' makes no sense: expected one of {', '.join(LOCATED)}")
    return stage


def key_of_files(options) -> str:
    """What of this a compilation depends on."""
    stage, file = located_stage(), getattr(options, "ir_override", None)
    given = hashlib.sha256(_read(file)).hexdigest() if file else ""
    return f"-{stage}-{given}" if stage or given else ""


def _read(path) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InvalidInput(f"ir_override: '{path}' cannot be read: {error.strerror}") from None


class StageFiles:
    """The files of one compilation; `name` begins their names."""

    def __init__(self, src, backend, options, name: str) -> None:
        text = f"{src.hash()}-{backend.hash()}-{options.hash()}"
        base = hashlib.sha256(text.encode("utf-8")).hexdigest()
        self.name = name
        self._override = get_override_manager(base) if knobs.compilation.override else None
        self._dump = get_dump_manager(base) if knobs.compilation.dump_ir else None
        self._given = getattr(options, "ir_override", None)
        if self._override is not None and not os.path.isdir(knobs.cache.override_dir):
            warnings.warn(
                f"TRITON_KERNEL_OVERRIDE: TRITON_OVERRIDE_DIR='{knobs.cache.override_dir}' is no folder: "
                "nothing takes the place of a stage",
                RuntimeWarning,
                stacklevel=2,
            )

    def dump(self, stage: str, artefact: bytes | str) -> None:
        if self._dump is None:
            return
        try:
            self._dump.put(artefact, f"{self.name}.{stage}")
        except OSError as error:
            raise InvalidInput(
                f"TRITON_KERNEL_DUMP: TRITON_DUMP_DIR='{knobs.cache.dump_dir}' cannot be written: "
                f"{error.strerror or error}"
            ) from None

    def replacement(self, stage: str) -> str | None:
        """The file that takes the place of a stage."""
        if self._given and os.path.splitext(self._given)[1] == f".{stage}":
            return self._given
        return self._override.get_file(f"{self.name}.{stage}") if self._override is not None else None

    def check_given(self, stages) -> None:
        """Refuses an `ir_override` that would take the place of nothing."""
        if self._given and os.path.splitext(self._given)[1][1:] not in stages:
            raise InvalidInput(
                f"ir_override: '{self._given}' must end in the name of a stage: .{', .'.join(stages)}"
            )
