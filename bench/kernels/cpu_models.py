"""Models from plain torch.nn through torch.compile: its kernels made by Trisect, beside its C++ ones.

Inductor writes both; what it hands to libraries is the same on both sides. A training case is forward and
backward. What each side took to compile, from nothing, stands in the notes.
"""

import time

import torch
from cpu_case import Case, case, error
from torch import nn
from torch.nn import functional

#: Inductor's options of the two sides.
SIDES = {"trisect": {"cpu_backend": "triton"}, "torch.compile": {"cpu_backend": "cpp"}}

#: Calls of each side before it is measured: launches on addresses of a new kind are compared first.
WARM = 60


class Block(nn.Module):
    """A transformer's block: attention and two linear layers, each after a norm."""

    def __init__(self, width=256, heads=4):
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.into, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.into(self.norms[0](x)).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(*parts, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(functional.gelu(self.up(self.norms[1](x))))


class Bag(nn.Module):
    """Bags of embeddings, a linear layer and the loss."""

    def __init__(self, words=4096, width=128, classes=64):
        super().__init__()
        self.words, self.table, self.last = words, nn.Embedding(words, width), nn.Linear(width, classes)

    def forward(self, ids, labels):
        bag = self.table(ids).mean(1)
        return functional.cross_entropy(self.last(functional.relu(bag)), labels)


class Unrolled(nn.Module):
    """An LSTM cell, step by step."""

    def __init__(self, width=128):
        super().__init__()
        self.cell = nn.LSTMCell(width, width)

    def forward(self, x):
        state = torch.zeros_like(x[0]), torch.zeros_like(x[0])
        outputs = []
        for step in x:
            state = self.cell(step, state)
            outputs.append(state[0])
        return torch.stack(outputs)


def mlp():
    layers = nn.Linear(256, 1024), nn.GELU(), nn.Linear(1024, 1024), nn.GELU(), nn.Linear(1024, 256)
    return nn.Sequential(*layers), (torch.randn(128, 256),)


def convolutions():
    layers = []
    for inside, outside in ((3, 32), (32, 64), (64, 64)):
        layers += [nn.Conv2d(inside, outside, 3, padding=1), nn.BatchNorm2d(outside), nn.ReLU()]
    layers += [nn.AvgPool2d(2), nn.Flatten(), nn.Linear(64 * 16 * 16, 10)]
    return nn.Sequential(*layers).eval(), (torch.randn(8, 3, 32, 32),)


def block():
    return Block(), (torch.randn(2, 256, 256),)


def bag():
    model = Bag()
    return model, (torch.randint(0, model.words, (256, 32)), torch.randint(0, 64, (256,)))


def unrolled():
    return Unrolled(), (torch.randn(8, 64, 128),)


def model_case(maker, training):
    torch.manual_seed(0)
    model, inputs = maker()
    weights = list(model.parameters())
    results = {}

    def run(name, function):
        if not training:
            with torch.no_grad():
                results[name] = [function(*inputs)]
            return
        out = function(*inputs)
        results[name] = [out.detach(), *torch.autograd.grad(out.square().sum(), weights)]

    notes, sides = {"compile": {}}, {}
    for name, options in SIDES.items():
        torch.compiler.reset()
        function = torch.compile(model, dynamic=False, options=options)
        start = time.perf_counter()
        run(name, function)
        notes["compile"][name] = time.perf_counter() - start
        sides[name] = lambda name=name, function=function: run(name, function)
    sides["torch"] = lambda: run("torch", model)
    for side in sides.values():
        for _ in range(WARM):
            side()

    def check():
        run("torch", model)
        pairs = zip(results["trisect"], results["torch"], strict=True)
        return max(error(got, want) for got, want in pairs)

    return Case(sides, check, 1e-3, 0, notes=notes)


MODELS = {
    "MLP": (mlp, False),
    "transformer block": (block, False),
    "transformer block, training": (block, True),
    "convolutions": (convolutions, False),
    "embedding bag with loss": (bag, True),
    "LSTM cell unrolled": (unrolled, False),
}
for _name, _arguments in MODELS.items():
    case(f"model {_name}", model_case, *_arguments)
