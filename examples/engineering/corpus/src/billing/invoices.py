"""Invoices of customers."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

VAT_RATE = Decimal("0.20")


def total_with_vat(net: Decimal) -> Decimal:
    """Return ``net`` with value-added tax, rounded half up to the cent."""
    return (net * (1 + VAT_RATE)).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


def reminder_level(days_overdue: int) -> int:
    """Return which reminder an invoice is due for: the first after 14 days, the second after 30, the lawyer after 60."""
    return sum(days_overdue >= limit for limit in (14, 30, 60))
