"""The forms of results that other systems know: each a payload and the schema that is published for it."""
