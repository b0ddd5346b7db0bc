from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from refscore.errors import InputError, Location, requires
from refscore.writing import written_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from refscore.significance.results import Comparison

# Okabe and Ito's colours, which colour-blind readers can distinguish. Filled and open markers also show the verdict.
_CLEAR, _UNCLEAR, _LINE = "#0072B2", "#767676", "#444444"


def forest(comparison: Comparison, path: str | Path | None) -> Figure:
    """Draw a forest plot: each system's difference from the baseline, with its interval."""
    with requires("a plot", "plot"):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    others = comparison.systems[1:]
    if any(outcome.difference_interval is None for outcome in others):
        raise InputError(
            None,
            "the comparison has no intervals of differences to plot",
            "use paired_bootstrap, or approximate_randomization with resamples=1000, with refscore's formulas",
        )
    scale, digits = comparison.printed_scale, comparison.digits
    figure = Figure(figsize=(7, 1.6 + 0.42 * len(others)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.axvline(0, color=_LINE, linewidth=1, linestyle="--", zorder=1)
    for place, outcome in enumerate(others):
        interval, difference = outcome.difference_interval, outcome.difference
        assert interval is not None and difference is not None
        is_clear = comparison.verdict(outcome.name) in ("better", "worse")
        colour, fill = (_CLEAR, _CLEAR) if is_clear else (_UNCLEAR, "white")
        axes.plot([scale * interval.low, scale * interval.high], [place, place], color=colour, linewidth=2, zorder=2)
        mark: dict[str, Any] = {"color": colour, "markersize": 8, "markerfacecolor": fill, "markeredgewidth": 2}
        axes.plot([scale * difference], [place], "o", zorder=3, **mark)
        p = comparison.format_p(outcome.name)
        text = f"{scale * difference:+.{digits}f}   p {p if p[0] in '≤<' else f'= {p}'}".replace("-", "−")
        axes.annotate(text, (1.02, place), xycoords=("axes fraction", "data"), va="center", color=_LINE)
    axes.set_yticks(range(len(others)), [outcome.name for outcome in others])
    axes.set_ylim(len(others) - 0.5, -0.5)
    better = "right" if comparison.metric.higher_is_better else "left"
    axes.set_xlabel(f"difference in {comparison.label} from {comparison.baseline.name} (better: to the {better})")
    p_name = "p (Holm)" if comparison.holm else "p"
    axes.set_title(
        f"{100 * (comparison.confidence or 0):g} % intervals; filled: {p_name} ≤ 0.05", fontsize="medium", loc="left"
    )
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    if path is not None:
        form = Path(path).suffix.removeprefix(".").lower()
        if form not in FigureCanvasAgg.get_supported_filetypes():
            raise InputError(Location(file=str(path)), "is not an image file", "use .png, .pdf or .svg")
        with written_whole(Path(path)) as file:
            figure.savefig(file, dpi=150, format=form)
    return figure
