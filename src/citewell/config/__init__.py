"""The configuration: one file, the environment over it, and flags over both."""

from citewell.config.loading import FILE_NAME, find_config, load_config
from citewell.config.model import Config, Origin, Setting
from citewell.config.sources import CollectionSettings, SourceSettings

__all__ = ["FILE_NAME", "CollectionSettings", "Config", "Origin", "Setting", "SourceSettings", "find_config", "load_config"]
