"""`python -m trisect cache ls|show|rm|verify`.

What: ls lists the compiled forms that are kept; show tells what one holds; rm removes forms, and with them
what comparisons found of them; verify finds files that no kernel can use and removes them.
Limits: of the cache that TRITON_CACHE_DIR names, or --dir.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from trisect._command import Parser, refuse, seconds, tool

from . import store


def _trust(form) -> str:
    return "withdrawn" if form.withdrawn else "trusted" if form.compared else "not compared"


def _size(count: int) -> str:
    return f"{count / 1024:.1f} KiB" if count < 1 << 20 else f"{count / (1 << 20):.1f} MiB"


def _table(rows: list[list[str]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _ls(cache: Path, chosen) -> int:
    rows, total = [["kernel", "tier", "arguments", "size", "used", "state", "key"]], 0
    for each in store.kept(cache, chosen.pattern):
        total += each.size
        used = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.used))
        if each.form is None:
            rows.append([each.path.name, "", "", _size(each.size), used, "damaged", ""])
            continue
        overlap = "any" if each.form.may_overlap else "disjoint"
        facts = [each.form.kernel, each.form.tier, overlap, _size(each.size), used, _trust(each.form)]
        rows.append([*facts, each.form.key[:16]])
    if len(rows) > 1:
        _table(rows)
    print(f"{len(rows) - 1} forms, {_size(total)}, in {cache}")
    return 0


def _show(cache: Path, chosen) -> int:
    found = list(store.kept(cache, chosen.pattern))
    for each in found:
        print(f"{each.path}\n  {_size(each.size)}")
        if each.form is None:
            print(f"  damaged: {each.problem}")
            continue
        form = each.form
        print(
            f"  kernel {form.kernel} for {form.tier}, {_trust(form)}\n  key {form.key}\n  code {form.object}"
        )
        print(f"  machine {form.isa[:200]}\n  {form.code_bytes} bytes of code")
        for title in ("parameters", "asserts", "paths", "verdicts"):
            for line in getattr(form, title):
                print(f"  {title.removesuffix('s')} {line}")
    if not found:
        print(f"no form in {cache} has {chosen.pattern!r} in its name or key")
    return 0 if found else 1


def _rm(cache: Path, chosen) -> int:
    if not chosen.pattern and not chosen.all:
        refuse("cache rm", "name forms (a part of a name or key), or say --all")
    count = left = 0
    for each in store.kept(cache, chosen.pattern):
        if store.remove(each.path):
            count += 1
        else:
            left += 1
            print(f"{each.path} could not be removed")
    print(f"removed {count} forms")
    return 1 if left or not (count or chosen.all) else 0


def _verify(cache: Path, chosen) -> int:
    count = whole = 0
    for path, problem in store.broken(cache, chosen.age):
        count += 1
        removed = "" if chosen.keep else ("; removed" if store.remove(path) else "; it could not be removed")
        print(f"{path}: {problem}{removed}")
    for each in store.kept(cache):
        whole += each.form is not None
    print(f"{whole} forms are whole, {count} files are of no use")
    return 1 if count and chosen.keep else 0


_COMMANDS = {"ls": _ls, "show": _show, "rm": _rm, "verify": _verify}


@tool("cache")
def main(arguments: list[str]) -> int:
    parser = Parser(prog="python -m trisect cache", description="what is kept of kernels")
    parser.add_argument("--dir", metavar="DIR", help="the cache; default: that of TRITON_CACHE_DIR")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (("ls", "list compiled forms"), ("show", "tell what forms hold")):
        command = commands.add_parser(name, help=text)
        command.add_argument("pattern", nargs="?" if name == "ls" else None, default="")
    rm = commands.add_parser("rm", help="remove forms and what is known of them")
    rm.add_argument("pattern", nargs="?", default="", help="a part of a name or key")
    rm.add_argument("--all", action="store_true", help="all forms")
    verify = commands.add_parser("verify", help="remove what no kernel can use")
    verify.add_argument("--keep", action="store_true", help="only tell; exit status 1 if there is something")
    verify.add_argument(
        "--age",
        type=seconds,
        default=60.0,
        metavar="SECONDS",
        help="parts of files count if nobody has written to them for so long (%(default)s)",
    )
    chosen = parser.parse_args(arguments)
    if chosen.dir == "":
        refuse("cache", "--dir is empty")
    cache = store.folder() if chosen.dir is None else Path(chosen.dir)
    if problem := store.problem(cache):
        refuse("cache", f"{cache}: {problem}")
    return _COMMANDS[chosen.command](cache, chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
