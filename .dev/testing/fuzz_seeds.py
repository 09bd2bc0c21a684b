"""Makes what the fuzzer starts from: every module that a test holds, and a dictionary with every operation.

What: splits the files of tests/ir, tests/passes and tests/ops at their `// -----` lines into one file a
module of the folder given, and writes the dictionary of tests/fuzz with the mnemonics of core/ops.def beside.
Why: an operation that a test names is fuzzed without anybody remembering to.
Limits: a module above the fuzzer's limit of 8 KiB is left out.
"""

import hashlib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST_BYTES = 8192
MNEMONIC = re.compile(r'^TRISECT_OP\(\w+, "([^"]+)"', re.MULTILINE)


def main(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    files = [path for room in ("ir", "passes", "ops") for path in (ROOT / "tests" / room).rglob("*")]
    for path in files:
        if path.suffix not in (".ttir", ".mlir"):
            continue
        for part in re.split(r"^// -----$", path.read_text(), flags=re.MULTILINE):
            text = part.strip().encode()
            if 0 < len(text) <= MOST_BYTES:
                (folder / hashlib.sha1(text).hexdigest()).write_bytes(text)
    words = (ROOT / "tests" / "fuzz" / "ttir.dict").read_text()
    names = MNEMONIC.findall((ROOT / "core" / "ops.def").read_text())
    missing = [f'"{name}"' for name in names if f'"{name}"' not in words]
    Path(f"{folder}.dict").write_text(words + "\n".join(missing) + "\n")
    print(f"seeds: {sum(1 for _ in folder.iterdir())} modules, {len(names)} operations")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
