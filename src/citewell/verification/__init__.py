"""Checks that people run on their own installation: what it promises is asked of it, with words nobody can guess."""

from citewell.verification.access import verify_access
from citewell.verification.verdict import Leak, Verdict

__all__ = ["Leak", "Verdict", "verify_access"]
