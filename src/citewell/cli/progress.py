"""The progress of a sync on stderr: how far, how fast, how long still. Silent where nobody watches."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, SpinnerColumn, Task, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Display
from rich.text import Text

from citewell.cli.streams import one_line
from citewell.core.requests import Progress


class RateColumn(ProgressColumn):
    """Items per second."""

    def render(self, task: Task) -> Text:
        """Return the rate of ``task``, or nothing before it is known."""
        return Text(f"{task.speed:,.0f}/s" if task.speed else "", style="dim")


class SyncDisplay:
    """Shows ``Progress`` as it is reported; a context manager."""

    def __init__(self, console: Console) -> None:
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            TextColumn("{task.completed:,.0f}/{task.fields[known]}", markup=False),
            RateColumn(),
            TimeRemainingColumn(compact=True),
        )
        self._display = Display(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._tasks: dict[tuple[str, str], TaskID] = {}

    def __enter__(self) -> Self:
        self._display.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._display.stop()

    def __call__(self, progress: Progress) -> None:
        """Show ``progress``: a line for each stage of each source, of which the last is the one that moves."""
        key = (progress.stage, progress.source)
        if key not in self._tasks:
            self._finish_listing()
            label = f"{progress.stage} {one_line(progress.source)}".rstrip()
            self._tasks[key] = self._display.add_task(label, total=None, known="?")
        total = progress.total or None
        self._display.update(self._tasks[key], completed=progress.done, total=total, known=f"{total:,}" if total else "?")

    def _finish_listing(self) -> None:
        for (stage, _), task in self._tasks.items():
            if stage == "listing":
                self._display.update(task, visible=False)
