"""One point of a tuning space."""

from __future__ import annotations


class Config:
    """Meta-parameters of a kernel together with launch options.

    `pre_hook` is called with all arguments by name before each launch with this config.
    """

    def __init__(
        self,
        kwargs,
        num_warps=4,
        num_stages=3,
        num_ctas=1,
        num_cpu_threads=0,
        maxnreg=None,
        pre_hook=None,
        ir_override=None,
    ):
        self.kwargs = kwargs
        self.num_warps = num_warps
        self.num_ctas = num_ctas
        self.num_stages = num_stages
        self.num_cpu_threads = num_cpu_threads
        self.maxnreg = maxnreg
        self.pre_hook = pre_hook
        self.ir_override = ir_override

    def __setstate__(self, state):
        for name, default in (
            ("num_cpu_threads", 0),
            ("maxnreg", None),
            ("pre_hook", None),
            ("ir_override", None),
        ):
            state.setdefault(name, default)
        self.__dict__.update(state)

    def all_kwargs(self) -> dict:
        """Meta-parameters and launch options in one dictionary."""
        made = dict(self.kwargs)
        # Each launch asks for it.
        if self.num_warps is not None:
            made["num_warps"] = self.num_warps
        if self.num_ctas is not None:
            made["num_ctas"] = self.num_ctas
        if self.num_stages is not None:
            made["num_stages"] = self.num_stages
        if self.num_cpu_threads:
            made["num_cpu_threads"] = self.num_cpu_threads
        if self.maxnreg is not None:
            made["maxnreg"] = self.maxnreg
        if self.ir_override is not None:
            made["ir_override"] = self.ir_override
        return made

    def __str__(self) -> str:
        parts = [f"{name}: {value}" for name, value in self.kwargs.items()]
        parts += [
            f"{name}: {getattr(self, name)}" for name in ("num_warps", "num_ctas", "num_stages", "maxnreg")
        ]
        if self.ir_override is not None:
            parts.append(f"ir_override: {self.ir_override}")
        return ", ".join(parts)

    def __repr__(self) -> str:
        return f"Config({self})"

    def __hash__(self) -> int:
        return hash((*((name, str(value)) for name, value in self.all_kwargs().items()), self.pre_hook))

    def __eq__(self, other) -> bool:
        if not isinstance(other, Config):
            return NotImplemented
        return self.all_kwargs() == other.all_kwargs() and self.pre_hook == other.pre_hook
