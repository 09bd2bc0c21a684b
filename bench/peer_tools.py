"""The worker under a peer that watches kernels: `python bench/peer_tools.py PACKAGE CLIENT WORKER CASES`.

What: puts `triton.jit` under a client of tilelens or of triton_viz, as their own commands do, and counts the
programs that ran: a client may solve for the addresses of a kernel and run one program for all, or none. So
each answer of the worker has `programs` (how many ran) and `grid` (how many there are).
Limits: autotuned kernels are not watched.
"""

import contextlib
import importlib
import math
import os
import sys

#: By name, how a client is made so that it looks at every program.
CLIENTS = {
    "sanitizer": ("Sanitizer", {"abort_on_error": False}),
    "profiler": ("Profiler", {}),
    "tracer": ("Tracer", {}),
}
#: Sampling off, for profilers that run a few programs and skip loads and stores otherwise.
EVERY_PROGRAM = {"PROFILER_ENABLE_BLOCK_SAMPLING": "0", "PROFILER_ENABLE_LOAD_STORE_SKIPPING": "0"}


class Watch:
    """All kernels made from now on are under a client of their own."""

    def __init__(self, package, client):
        import triton

        self.package = importlib.import_module(package)
        module = importlib.import_module(f"{package}.clients")
        name, options = CLIENTS[client]
        self.make = lambda: getattr(module, name)(**options)
        self.clients = []
        self.programs = self.grid = 0
        self._count(importlib.import_module(f"{package}.core.client").ClientManager)
        plain = triton.jit

        def watched(fn=None, **options):
            if fn is None:
                return lambda fn: watched(fn, **options)
            self.clients.append(self.make())
            return self.package.trace(client=self.clients[-1])(plain(**options)(fn) if options else plain(fn))

        triton.jit = watched

    def _count(self, manager):
        before_program, before_grid = manager.pre_run_callback, manager.grid_callback

        def pre_run_callback(clients, fn):
            runs = before_program(clients, fn)
            self.programs += bool(runs)
            return runs

        def grid_callback(clients, grid):
            self.grid += math.prod(int(extent) for extent in grid)
            return before_grid(clients, grid)

        manager.pre_run_callback, manager.grid_callback = pre_run_callback, grid_callback

    @property
    def found(self):
        """How many defects were recorded so far; only a sanitizer's records are defects."""
        return sum(len(client.records) for client in self.clients)

    def facts(self):
        """Of the launch before; forgets it."""
        facts = {"programs": self.programs, "grid": self.grid}
        self.programs = self.grid = 0
        self.package.clear()
        for client in self.clients:
            with contextlib.suppress(AttributeError):
                client.records.clear()
        return facts


def main():
    package, client, worker, *sys.argv[1:] = sys.argv[1:]
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - reports of profilers, for as long as this runs
    watch = Watch(package, client)
    sys.path.insert(0, os.path.dirname(worker))
    importlib.import_module("worker").main(watch.facts)


if __name__ == "__main__":
    main()
