"""The only door: everything anybody can ask of citewell, whatever surface he comes by. Every method takes a principal."""

from citewell.service.knowledge import ConfiguredSource, KnowledgeService

__all__ = ["ConfiguredSource", "KnowledgeService"]
