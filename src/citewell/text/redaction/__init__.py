"""Taking secrets and personal data out of texts, whatever the text is, without changing the number of its lines."""

from citewell.text.redaction.redactor import PLACEHOLDER, Allowed, Redaction, Redactor

__all__ = ["PLACEHOLDER", "Allowed", "Redaction", "Redactor"]
