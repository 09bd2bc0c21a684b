"""Every spelling of core/ptx/AsmForms.def as a kernel, and what it makes of awkward numbers.

What: `groups()` gives lists of texts for inline assembly whose operands have the same widths; `run` runs one
list over vectors of bit patterns, and `digests` keeps what came out. assembly-sm_90.json holds what an H100
makes of them (tests/gpu/check_assembly.py).
Why: tiers 0 and 1 and a GPU must make the same bits of the same text.
Limits: loads and stores are left to other tests; predicates and registers of 8 bits are made of wider ones
inside the text.
"""

import hashlib
import itertools
import re
from pathlib import Path

import numpy as np

import trisect
import trisect.language as tl

DEFINITIONS = Path(__file__).resolve().parents[3] / "core" / "ptx" / "AsmForms.def"
LANES = 1024


@trisect.jit
def apply(
    x0, x1, x2, x3, out, TEXTS: tl.constexpr, LETTERS: tl.constexpr, COUNT: tl.constexpr, BLOCK: tl.constexpr
):
    at = tl.arange(0, BLOCK)
    a = tl.load(x0 + at)
    b = tl.load(x1 + at)
    c = tl.load(x2 + at)
    d = tl.load(x3 + at)
    for n in tl.static_range(len(TEXTS)):
        if COUNT == 1:
            args = [a]
        elif COUNT == 2:
            args = [a, b]
        elif COUNT == 3:
            args = [a, b, c]
        else:
            args = [a, b, c, d]
        made = tl.inline_asm_elementwise(
            TEXTS[n], LETTERS, args, dtype=out.dtype.element_ty, is_pure=True, pack=1
        )
        tl.store(out + n * BLOCK + at, made)


def width(name: str) -> int:
    """Bytes of a type of the definitions."""
    special = {"e2m1x2": 1, "e4m3x2": 2, "e5m2x2": 2, "f16x2": 4, "bf16x2": 4}
    return special.get(name) or int(re.search(r"\d+$", name).group()) // 8


def forms() -> list[tuple[str, str, str]]:
    text = DEFINITIONS.read_text()
    words = dict(re.findall(r"^#define (\w+) (.*)$", text, re.M))

    def joined(expression: str) -> str:
        parts = re.findall(r'"([^"]*)"|(\w+)', expression)
        return "".join(literal if not name else joined(words[name]) for literal, name in parts)

    rows = re.findall(r'^ASM_FORM\("([^"]*)", (.*), "([^"]*)"\)$', text, re.M)
    return [(opcodes, joined(expression), roles) for opcodes, expression, roles in rows]


def spellings(opcodes: str, words: str):
    choices = [opcodes.split("|")]
    for word in words.split(" "):
        alternatives = word.removeprefix("?").split("|")
        choices.append(([""] if word.startswith("?") else []) + alternatives)
    for chosen in itertools.product(*choices):
        yield ".".join(word for word in chosen if word)


#: What stands in a register of its own inside the text: its type, how it is made of 32 bits, and they of it.
INSIDE = {
    "p": ("pred", "setp.ne.s32 {q}, {wide}, 0; ", " selp.b32 {wide}, 1, 0, {q};"),
    "b8": ("b8", "cvt.u8.u32 {q}, {wide}; ", " cvt.u32.u8 {wide}, {q};"),
    "byte": ("b32", "and.b32 {q}, {wide}, 255; ", ""),  # places and lengths of bit fields
}


def text_of(spelling: str, roles: str) -> tuple[str, tuple[int, ...]]:
    """The assembly, and the bytes of its result and operands."""
    words = spelling.split(".")
    last = width(words[-1])
    before = width(words[-2]) if "f" in roles.lower() else 0
    bytes_of = {"t": last, "T": last, "w": 2 * last, "i": 4, "f": before, "F": before, "p": 4}
    begin, end, operands, widths = "", "", [], []
    number = 0
    for place, role in enumerate(roles):
        if role == "n":
            operands.append("0x96")
            continue
        size, name = bytes_of[role], f"${number}"
        number += 1
        inside = "b8" if size == 1 else "byte" if role == "i" and spelling.startswith("bf") else role
        if inside in INSIDE:
            kind, read, write = INSIDE[inside]
            begin += f".reg .{kind} q{place}; "
            begin += read.format(q=f"q{place}", wide=name) if place else ""
            end += "" if place else write.format(q="q0", wide=name)
            size, name = 4, f"q{place}"
        operands.append(name)
        widths.append(size)
    return f"{{ {begin}{spelling} {', '.join(operands)};{end} }}", tuple(widths)


def groups(skip=lambda spelling: False, size: int = 16):
    """(widths, spellings, texts) of at most `size` texts each."""
    by_widths: dict[tuple[int, ...], list[tuple[str, str]]] = {}
    for opcodes, words, roles in forms():
        if "a" in roles:
            continue
        for spelling in spellings(opcodes, words):
            if not skip(spelling):
                text, widths = text_of(spelling, roles)
                by_widths.setdefault(widths, []).append((spelling, text))
    for widths, rows in by_widths.items():
        for first in range(0, len(rows), size):
            part = rows[first : first + size]
            yield widths, [name for name, _ in part], tuple(text for _, text in part)


NUMPY = {2: np.int16, 4: np.int32, 8: np.int64}
LETTER = {2: "h", 4: "r", 8: "l"}


def noise(seed: int):
    """The same 64 bits a step on every machine (splitmix64)."""
    whole = (1 << 64) - 1
    state = seed
    while True:
        state = state + 0x9E3779B97F4A7C15 & whole
        bits = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & whole
        bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & whole
        yield bits ^ bits >> 31


def patterns(size: int, seed: int) -> np.ndarray:
    """Bits of floats of several widths, small and large integers, counts for shifts, and noise."""
    floats = np.array(
        [0, -0.0, 1, -1.5, 0.5, 2.5, -3.5, 1e-3, 65504, 1e5, -1e5, np.inf, -np.inf, 0.75, 448, 1e-40]
    )
    whole = np.array(
        [0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, -1, -2, -128, -129]
    )
    with np.errstate(all="ignore"):
        half = floats.astype(np.float16).view(np.uint16).astype(np.uint64)
        single = floats.astype(np.float32).view(np.uint32).astype(np.uint64)
        double = floats.view(np.uint64)
    brain = single >> np.uint64(16)
    pairs = [half | half[::-1] << np.uint64(16), brain | brain[::-1] << np.uint64(16)]
    known = np.concatenate([half, brain, single, double, *pairs, whole.astype(np.int64).view(np.uint64)])
    drawn = np.fromiter(itertools.islice(noise(seed), 4 * LANES), np.uint64)
    real = (drawn[:256] >> np.uint64(11)).astype(np.float64) * 2.0**-51 - 2
    bits = {2: (np.float16, np.uint16), 4: (np.float32, np.uint32), 8: (np.float64, np.uint64)}
    kind, unsigned = bits[size]
    pool = np.concatenate([known, real.astype(kind).view(unsigned).astype(np.uint64), drawn[256:512]])
    picked = pool[(drawn[-LANES:] >> np.uint64(16)) % np.uint64(len(pool))]
    return picked.astype(unsigned).view(NUMPY[size])


def run(widths: tuple[int, ...], texts: tuple[str, ...], put=lambda array: array, **options) -> np.ndarray:
    """What each text makes of the patterns; `put` brings an array to where the kernel runs."""
    sources = list(widths[1:])
    inputs = [put(patterns(size, place)) for place, size in enumerate(sources)]
    inputs += [inputs[0]] * (4 - len(inputs))
    out = put(np.zeros((len(texts), LANES), NUMPY[widths[0]]))
    letters = ",".join(["=" + LETTER[widths[0]], *(LETTER[size] for size in sources)])
    apply[(1,)](*inputs, out, texts, letters, len(sources), LANES, **options)
    return out if isinstance(out, np.ndarray) else out.cpu().numpy()


def digest(lanes: np.ndarray) -> str:
    return hashlib.sha256(lanes.tobytes()).hexdigest()[:16]


def is_exact(spelling: str) -> bool:
    """Whether the text has one right result: an approximation is the machine's own."""
    return ".approx" not in spelling and ".full" not in spelling


def digests(skip=lambda spelling: False, put=lambda array: array, **options) -> dict[str, str]:
    found = {}
    for widths, names, texts in groups(lambda spelling: skip(spelling) or not is_exact(spelling)):
        for name, lanes in zip(names, run(widths, texts, put, **options), strict=True):
            found[name] = digest(lanes)
    return found
