"""Secrets that show what they are: tokens and keys in the formats of those who issue them."""

from __future__ import annotations

import base64
import json
from binascii import Error as BadBase64
from typing import Final

from citewell.text.redaction.rules import Check, Rule, by_pattern, entropy_of

_PUBLISHED: Final = ("4eC39HqLyjWDarjtT1zdp7dc", "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lI")
"""Parts of what the documentation of issuers shows: Stripe's test key, the token of jwt.io."""


def _is_no_example(value: str) -> bool:
    """Whether the value is neither an example of the documentation nor a few characters again and again."""
    lowered = value.lower()
    if (
        "example" in lowered
        or "xxxx" in lowered
        or "1234567890abcdef" in lowered
        or any(part in value for part in _PUBLISHED)
    ):
        return False
    return len(set(value[-16:])) > 4


def _looks_random(value: str) -> bool:
    return entropy_of(value) > 3.4 and not value.isalpha() and not value.isdecimal() and _is_no_example(value)


def _is_mixed(value: str) -> bool:
    mixed = any(c.isupper() for c in value) and any(c.islower() for c in value) and any(c.isdigit() for c in value)
    return mixed and _looks_random(value)


def _is_jwt(value: str) -> bool:
    """Whether the first part is a JSON object that names an algorithm (RFC 7515)."""
    head = value.split(".", 1)[0]
    try:
        header = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
    except (BadBase64, ValueError, RecursionError):
        return False
    return isinstance(header, dict) and "alg" in header and _is_no_example(value)


def _token(kind: str, head: str, body: str, check: Check = _is_no_example) -> Rule:
    """A token that begins with ``head``, which hardly anything else does."""
    return Rule(kind, head, by_pattern(f"((?:{head}){body})", check))


def _surrounded(kind: str, hint: str, pattern: str, check: Check = _looks_random) -> Rule:
    """A token that is one by what stands around the first group of ``pattern``."""
    return Rule(kind, hint, by_pattern(pattern, check))


_WORD: Final = r"[A-Za-z0-9_\-]"
_START: Final = r"(?:\\[nrt]|\b)"
"""A token may follow the escape of a line break, whose letter is none of its own."""

_END: Final = r"(?:[^A-Za-z0-9_\-]|$)"

TOKEN_RULES: Final = (
    _surrounded("AWS_ACCESS_KEY", r"A(?:KI|SI|BI|CC)A", _START + r"((?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})\b", _is_no_example),
    _surrounded(
        "AWS_SECRET_KEY",
        r"(?i:key)",
        r"(?i)(?:aws|secret|access)[a-z_ .\-]{0,30}key['\"]?[ \t]{0,4}(?::|=>|=|,|is|\()?[ \t]{0,4}['\"]?"
        r"([a-z0-9/+]{40})(?:[^a-z0-9/+=]|$)",
        _is_mixed,
    ),
    _token("GITHUB_TOKEN", r"gh[pousr]_", r"[A-Za-z0-9]{36,251}"),
    _token("GITHUB_TOKEN", r"github_pat_", r"[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
    _token("GITLAB_TOKEN", r"gl(?:pat|ptt|dt|rt|soat|ft|imt|agent|cbt|oas|ffct)-", rf"{_WORD}{{20,100}}", _looks_random),
    _token("SLACK_TOKEN", r"xox[abeoprs]-|xapp-\d-", r"[A-Za-z0-9\-]{10,250}", _looks_random),
    _token(
        "SLACK_WEBHOOK", r"hooks\.slack(?:-gov)?\.com/", r"(?:services|workflows|triggers)/[A-Za-z0-9/_\-]{20,120}", _is_mixed
    ),
    _token("STRIPE_KEY", r"[sr]k_(?:live|test)_", r"[A-Za-z0-9]{16,247}"),
    _token("STRIPE_KEY", r"whsec_", r"[A-Za-z0-9+/]{32,100}", _is_mixed),
    _surrounded("GOOGLE_API_KEY", r"AIza", rf"(AIza{_WORD}{{35}}){_END}"),
    _token("GOOGLE_OAUTH", r"GOCSPX-", rf"{_WORD}{{28}}"),
    _surrounded("GOOGLE_OAUTH", r"ya29\.", rf"{_START}(ya29\.{_WORD}{{30,400}})", _is_mixed),
    _token("ANTHROPIC_KEY", r"sk-ant-", rf"[a-z]{{3,8}}\d\d-{_WORD}{{60,200}}"),
    _token("OPENAI_KEY", r"sk-(?:proj|svcacct|admin|None)-", rf"{_WORD}{{40,250}}", _looks_random),
    _surrounded(
        "OPENAI_KEY", r"sk-[A-Za-z0-9]", _START + r"(sk-[A-Za-z0-9]{48}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})\b"
    ),
    _token("OPENROUTER_KEY", r"sk-or-v1-", r"[0-9a-f]{64}"),
    _surrounded(
        "HUGGINGFACE_TOKEN", r"(?:hf|api_org)_[A-Za-z]{8}", _START + r"((?:hf|api_org)_[A-Za-z]{34})\b", _is_no_example
    ),
    _surrounded("GROQ_KEY", r"gsk_", _START + r"(gsk_[A-Za-z0-9]{52})\b"),
    _token("XAI_KEY", r"xai-", r"[A-Za-z0-9]{70,90}", _looks_random),
    _surrounded("REPLICATE_TOKEN", r"r8_", _START + r"(r8_[A-Za-z0-9]{37})\b"),
    _token("PERPLEXITY_KEY", r"pplx-", r"[A-Za-z0-9]{40,64}", _looks_random),
    _token("NVIDIA_KEY", r"nvapi-", rf"{_WORD}{{60,80}}", _looks_random),
    _token("LANGSMITH_KEY", r"lsv2_(?:pt|sk)_", r"[0-9a-f]{32}_[0-9a-f]{10}"),
    _surrounded("NPM_TOKEN", r"npm_[A-Za-z0-9]{8}", r"(npm_[A-Za-z0-9]{36})\b"),
    _token("PYPI_TOKEN", r"pypi-AgE", rf"{_WORD}{{50,}}"),
    _token("RUBYGEMS_KEY", r"rubygems_", r"[0-9a-f]{48}"),
    _surrounded(
        "AZURE_KEY", r"(?i:AccountKey|SharedAccessKey)=", r"(?i:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{43,88}={0,2})"
    ),
    _surrounded("AZURE_SECRET", r"\dQ~", rf"{_START}([A-Za-z0-9_~.\-]{{3}}\dQ~[A-Za-z0-9_~.\-]{{31,34}}){_END}", _is_mixed),
    _surrounded("AZURE_SIGNATURE", r"[?&;]sig=", r"[?&;]sig=([A-Za-z0-9%+/]{40,80}(?:=|%3[Dd]))"),
    _surrounded("SENDGRID_KEY", r"SG\.", rf"(SG\.{_WORD}{{22}}\.{_WORD}{{43}})"),
    _surrounded("TWILIO_KEY", r"(?i:twilio)", r"(?i:twilio)[^\n\x00]{0,80}?\b((?:SK|AC)?[0-9a-f]{32})\b"),
    _surrounded("MAILGUN_KEY", r"key-[0-9a-f]{8}", _START + r"(key-[0-9a-f]{32})\b"),
    _surrounded("MAILCHIMP_KEY", r"-us\d", _START + r"([0-9a-f]{32}-us\d{1,2})\b"),
    _token("BREVO_KEY", r"xkeysib-", r"[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    _token("DIGITALOCEAN_TOKEN", r"do[opr]_v1_", r"[0-9a-f]{64}"),
    _token("SHOPIFY_TOKEN", r"shp(?:at|ca|pa|ss)_", r"[0-9a-fA-F]{32}"),
    _surrounded("TELEGRAM_TOKEN", r"\d:AA", rf"{_START}(\d{{8,10}}:AA{_WORD}{{33}}){_END}"),
    _surrounded(
        "DISCORD_TOKEN",
        r"\.[A-Za-z0-9_\-]{6}\.",
        rf"{_START}([MNO]{_WORD}{{23,27}}\.{_WORD}{{6}}\.{_WORD}{{27,40}})",
        _is_mixed,
    ),
    _token("DISCORD_WEBHOOK", r"discord(?:app)?\.com/api/webhooks/", rf"\d{{17,20}}/{_WORD}{{60,80}}"),
    _surrounded("DATABRICKS_TOKEN", r"dapi[0-9a-f]{8}", r"(dapi[0-9a-f]{32}(?:-\d)?)\b"),
    _token("DOCKER_TOKEN", r"dckr_(?:pat|oat)_", rf"{_WORD}{{27,40}}"),
    _surrounded("VAULT_TOKEN", r"hv[sbr]\.", rf"{_START}(hv[sbr]\.{_WORD}{{24,300}})"),
    _surrounded("TERRAFORM_TOKEN", r"\.atlasv1\.", rf"([A-Za-z0-9]{{14}}\.atlasv1\.{_WORD}{{60,70}})"),
    _token("GRAFANA_TOKEN", r"glsa_", r"[A-Za-z0-9]{32}_[0-9a-fA-F]{8}"),
    _surrounded("GRAFANA_TOKEN", r"glc_", _START + r"(glc_[A-Za-z0-9+/]{32,400}={0,2})"),
    _token("NEWRELIC_KEY", r"NR(?:AK|JS|II)-", r"[A-Za-z0-9\-]{19,40}"),
    _token("SENTRY_TOKEN", r"sntry[su]_", r"[A-Za-z0-9+/=_\-]{60,250}"),
    _token("LINEAR_KEY", r"lin_(?:api|oauth)_", r"[A-Za-z0-9]{40,64}"),
    _token("NOTION_TOKEN", r"ntn_", r"[A-Za-z0-9]{40,60}", _is_mixed),
    _token("FIGMA_TOKEN", r"fig[du]_", rf"{_WORD}{{40,60}}", _is_mixed),
    _token("ATLASSIAN_TOKEN", r"ATATT3xFfGF0|ATCTT3xFfGN0", r"[A-Za-z0-9_=\-]{160,250}"),
    _token("POSTMAN_KEY", r"PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    _token("SUPABASE_TOKEN", r"sbp_", r"(?:v0_)?[0-9a-f]{40}"),
    _token("PLANETSCALE_TOKEN", r"pscale_(?:tkn|pw|oauth)_", r"[A-Za-z0-9_.=\-]{32,64}", _looks_random),
    _token("DOPPLER_TOKEN", r"dp\.(?:pt|st|ct|sa|scim|audit)\.", r"(?:[a-z0-9_\-]{2,35}\.)?[A-Za-z0-9]{40,44}", _is_mixed),
    _token("TAILSCALE_KEY", r"tskey-(?:auth|api|client|scim|webhook)-", r"[A-Za-z0-9]{6,20}-[A-Za-z0-9]{20,40}"),
    _token("PULUMI_TOKEN", r"pul-", r"[0-9a-f]{40}"),
    _token("SQUARE_TOKEN", r"sq0(?:atp|csp)-", rf"{_WORD}{{22,43}}"),
    _token("SONAR_TOKEN", r"sq[upa]_", r"[0-9a-f]{40}"),
    _surrounded("ALIBABA_KEY", r"LTAI", _START + r"(LTAI[A-Za-z0-9]{12,26})\b", _is_mixed),
    _surrounded("TENCENT_KEY", r"AKID", _START + r"(AKID[A-Za-z0-9]{32})\b", _is_mixed),
    _token("AGE_KEY", r"AGE-SECRET-KEY-1", r"[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
    _surrounded("CITEWELL_TOKEN", r"cw_[A-Za-z0-9_\-]{8}_", rf"(cw_{_WORD}{{8}}_{_WORD}{{43}})"),
    _surrounded(
        "JWT",
        r"eyJ[A-Za-z0-9_\-]+\.",
        r"(eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]*\.[A-Za-z0-9_\-]{8,}(?:\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,})?)",
        _is_jwt,
    ),
)
