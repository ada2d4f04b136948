"""The MCP surface: what agents see of citewell."""
