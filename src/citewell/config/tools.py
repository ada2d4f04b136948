"""The section ``tools``: what agents are offered, under which names, and in which form they get results."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from citewell.config.sections import Count, Section, ToolName
from citewell.core.tools import TOOL_TIMEOUT_SECONDS, OfferedFilter, Parameter, ResultShape, Tool, ToolKind


class ParameterSettings(Section):
    """How one parameter of a tool is called, explained, defaulted and bounded."""

    name: ToolName | None = None
    """What agents call it."""
    description: str | None = None
    """What agents are told of it."""
    default: str | Count | None = None
    """The value of one that is left out."""
    maximum: Count | None = Field(default=None, ge=1)
    """The largest number, or the most characters of a text; not beyond what is built in."""
    hidden: bool = False
    """Whether agents are not offered it: its default always holds."""


class FilterSettings(Section):
    """A parameter that narrows a search to the documents whose ``field`` is its value."""

    name: ToolName
    """What agents call it."""
    field: str
    """``source``, ``path`` (a glob), ``language``, ``kind``, or a field of documents such as ``version`` or ``repo_name``."""
    description: str = Field(min_length=1)
    """What agents are told of it."""
    default: str = ""
    """The value of one that is left out; an empty one admits everything."""


class ToolSettings(Section):
    """A tool that agents are offered. ``parameters`` is keyed by the built-in parameter names."""

    name: ToolName
    """Unique. What agents call it."""
    kind: ToolKind
    """What it does, and so its parameters and results; see the tools."""
    description: str = Field(min_length=1)
    """What agents are told of it: what it finds, when to use it, and when not."""
    title: str = ""
    """A name for people."""
    collections: tuple[str, ...] = ()
    """The only collections it sees; all when empty. They must be declared."""
    parameters: Mapping[str, ParameterSettings] = Field(default_factory=dict)
    """What is to differ from the built-in parameters."""
    filters: tuple[FilterSettings, ...] = ()
    """Parameters of its own that narrow a search."""
    result: ResultShape = "native"
    """The form of results: ``native``, or one that other systems know; see the tools."""
    timeout: Count = Field(default=TOOL_TIMEOUT_SECONDS, ge=1, le=3600)
    """Seconds after which a call ends with ``TOOL_TIMEOUT``. Many clients wait no longer than 60."""

    def tool(self) -> Tool:
        """Return the tool in the form that the surfaces offer."""
        return Tool(
            name=self.name,
            kind=self.kind,
            description=self.description,
            title=self.title,
            collections=self.collections,
            parameters={key: Parameter(**settings.model_dump()) for key, settings in self.parameters.items()},
            filters=tuple(OfferedFilter(**settings.model_dump()) for settings in self.filters),
            result=self.result,
            timeout=self.timeout,
        )
