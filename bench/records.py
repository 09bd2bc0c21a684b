"""How records of bench/results are written: `text(record)`.

What: JSON with a line for each entry, and for each entry of one that holds many; numbers have six digits,
more than any clock tells. Why: a run keeps thousands of samples, and all records travel with the tree.
`python bench/records.py FILE...` writes files anew.
"""

import json
import sys
from pathlib import Path

#: Characters of an entry that may stand in one line, if it can be split.
WIDE = 400


def rounded(number):
    return float(f"{float(number):.6g}")


def text(record):
    return written(json.loads(json.dumps(record), parse_float=rounded), 0) + "\n"


def written(value, depth):
    line = json.dumps(value, separators=(",", ":"))
    if depth == 3 or not isinstance(value, dict) or not value or (depth and len(line) <= WIDE):
        return line
    inner = [
        f"{' ' * (depth + 1)}{json.dumps(key)}: {written(each, depth + 1)}" for key, each in value.items()
    ]
    return "{\n" + ",\n".join(inner) + "\n" + " " * depth + "}"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(text(json.loads(Path(name).read_text())))
