"""Tables and plots of benchmarks.

What: `perf_report` runs a function over the values of a `Benchmark`; CSV, PNG and one HTML page of all.
Limits: plots need matplotlib, tables in memory pandas; without matplotlib the page has the tables alone.
"""

from __future__ import annotations

import csv
import html
import os
import sys


class Benchmark:
    """A plot: values of x, one line for each value of `line_arg`, fixed arguments."""

    def __init__(
        self,
        x_names,
        x_vals,
        line_arg,
        line_vals,
        line_names,
        plot_name,
        args,
        xlabel="",
        ylabel="",
        x_log=False,
        y_log=False,
        styles=None,
    ):
        self.x_names = x_names
        self.x_vals = x_vals
        self.x_log = x_log
        self.line_arg = line_arg
        self.line_vals = line_vals
        self.line_names = line_names
        self.y_log = y_log
        self.styles = styles
        self.xlabel = xlabel
        self.ylabel = ylabel
        self.plot_name = plot_name
        self.args = args


class Mark:
    """A benchmark function with its plots."""

    def __init__(self, fn, benchmarks):
        self.fn = fn
        self.benchmarks = benchmarks

    def _measure(self, bench, kwargs):
        """Column names, and rows of x values, then value, low and high of each line."""
        columns = [*bench.x_names]
        for name in bench.line_names:
            columns.extend((name, f"{name}-min", f"{name}-max"))
        rows = []
        for x in bench.x_vals:
            values = list(x) if isinstance(x, (list, tuple)) else [x] * len(bench.x_names)
            if len(values) != len(bench.x_names):
                raise ValueError(f"Expected {len(bench.x_names)} values, got {x}")
            row = list(values)
            for line in bench.line_vals:
                arguments = dict(zip(bench.x_names, values, strict=True))
                result = self.fn(**arguments, **{bench.line_arg: line}, **bench.args, **kwargs)
                row.extend(result if isinstance(result, (list, tuple)) else (result, None, None))
            rows.append(row)
        return columns, rows

    def _run(self, bench, save_path, show_plots, print_data, kwargs):
        columns, rows = self._measure(bench, kwargs)
        kept = [columns.index(name) for name in (*bench.x_names, *bench.line_names)]
        header = [*bench.x_names, *(f"{name} ({bench.ylabel})" for name in bench.line_names)]
        table = [[row[index] for index in kept] for row in rows]
        if bench.plot_name and (show_plots or save_path):
            self._plot(bench, columns, rows, save_path, show_plots)
        if print_data:
            print(f"{bench.plot_name}:")
            print(_text_table(header, table))
        if save_path:
            with open(
                os.path.join(save_path, f"{bench.plot_name}.csv"), "w", newline="", encoding="utf-8"
            ) as file:
                writer = csv.writer(file)
                writer.writerow(header)
                writer.writerows(table)
        return header, table

    def _plot(self, bench, columns, rows, save_path, show_plots):
        try:
            import matplotlib

            if not show_plots:
                matplotlib.use("Agg")
            import matplotlib.pyplot as plt
        except ImportError:
            print(f"{bench.plot_name}: no plot, matplotlib is not installed", file=sys.stderr)
            return
        figure, axes = plt.subplots()
        xs = [row[0] for row in rows]
        for index, name in enumerate(bench.line_names):
            at = columns.index(name)
            color, style = bench.styles[index] if bench.styles else (None, None)
            axes.plot(xs, [row[at] for row in rows], label=name, color=color, ls=style)
            if all(row[at + 1] is not None and row[at + 2] is not None for row in rows):
                axes.fill_between(
                    xs, [row[at + 1] for row in rows], [row[at + 2] for row in rows], alpha=0.15, color=color
                )
        axes.legend()
        axes.set_xlabel(bench.xlabel or bench.x_names[0])
        axes.set_ylabel(bench.ylabel)
        axes.set_xscale("log" if bench.x_log else "linear")
        axes.set_yscale("log" if bench.y_log else "linear")
        if save_path:
            figure.savefig(os.path.join(save_path, f"{bench.plot_name}.png"))
        if show_plots:
            plt.show()
        plt.close(figure)

    def run(self, show_plots=False, print_data=False, save_path="", return_df=False, **kwargs):
        """Runs every benchmark; `save_path` gets CSV, PNG and a page with all plots."""
        benchmarks = [self.benchmarks] if isinstance(self.benchmarks, Benchmark) else list(self.benchmarks)
        if save_path:
            os.makedirs(save_path, exist_ok=True)
        results = [
            (bench, *self._run(bench, save_path, show_plots, print_data, kwargs)) for bench in benchmarks
        ]
        if save_path:
            with open(os.path.join(save_path, "results.html"), "w", encoding="utf-8") as page:
                page.write("<html><body>\n")
                for bench, header, table in results:
                    if os.path.exists(os.path.join(save_path, f"{bench.plot_name}.png")):
                        page.write(f'<img src="{html.escape(bench.plot_name)}.png"/>\n')
                    page.write(f"<pre>{html.escape(_text_table(header, table))}</pre>\n")
                page.write("</body></html>\n")
        if not return_df:
            return None
        import pandas

        frames = [pandas.DataFrame(table, columns=header) for _, header, table in results]
        return frames[0] if isinstance(self.benchmarks, Benchmark) else frames


def _text_table(header, rows) -> str:
    def text(value):
        return f"{value:.6f}" if isinstance(value, float) else str(value)

    cells = [[str(name) for name in header], *([text(value) for value in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells
    )


def perf_report(benchmarks):
    """Makes a function a `Mark` over benchmarks; it returns a value, or value, low and high."""
    return lambda fn: Mark(fn, benchmarks)
