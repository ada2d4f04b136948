"""Secrets that show what they are: tokens and keys in the formats of those who issue them."""

from __future__ import annotations

import base64
import json
from binascii import Error as BadBase64
from typing import Final

from citewell.text.redaction.rules import Rule, entropy_of


def _is_no_example(value: str) -> bool:
    """Whether the value is neither an example of the documentation nor one character again and again."""
    lowered = value.lower()
    return "example" not in lowered and "xxxx" not in lowered and len(set(value[-16:])) > 4


def _looks_random(value: str) -> bool:
    return _is_no_example(value) and entropy_of(value) > 3.5 and not value.isalpha() and not value.isdecimal()


def _is_aws_secret(value: str) -> bool:
    mixed = any(c.isupper() for c in value) and any(c.islower() for c in value) and any(c.isdigit() for c in value)
    return mixed and _is_no_example(value) and entropy_of(value) > 4.0


def _is_jwt(value: str) -> bool:
    """Whether the first part is a JSON object that names an algorithm (RFC 7515)."""
    head = value.split(".", 1)[0]
    try:
        header = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
    except (BadBase64, ValueError, RecursionError):
        return False
    return isinstance(header, dict) and "alg" in header


TOKEN_RULES: Final = (
    Rule(
        "AWS_ACCESS_KEY", r"\b((?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})\b", (b"akia", b"asia", b"abia", b"acca"), _is_no_example
    ),
    Rule(
        "AWS_SECRET_KEY",
        r"(?i)(?:aws|secret|access)[a-z_ .-]{0,30}key['\"]?\s*(?:[:=]|=>|,|is)?\s*['\"]?([a-z0-9/+]{40})(?:[^a-z0-9/+=]|$)",
        (b"key",),
        _is_aws_secret,
    ),
    Rule(
        "GITHUB_TOKEN", r"\b(gh[pousr]_[A-Za-z0-9]{36,251})\b", (b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_"), _is_no_example
    ),
    Rule("GITHUB_TOKEN", r"\b(github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})\b", (b"github_pat_",), _is_no_example),
    Rule(
        "GITLAB_TOKEN",
        r"\b(gl(?:pat|ptt|dt|rt|soat|ft|imt|agent|cbt|oas|ffct)-[A-Za-z0-9_\-]{20,100})",
        (
            b"glpat-",
            b"glptt-",
            b"gldt-",
            b"glrt-",
            b"glsoat-",
            b"glft-",
            b"glimt-",
            b"glagent-",
            b"glcbt-",
            b"gloas-",
            b"glffct-",
        ),
        _is_no_example,
    ),
    Rule(
        "SLACK_TOKEN",
        r"\b(xox[abeoprs]-[A-Za-z0-9\-]{10,250}|xapp-\d-[A-Za-z0-9\-]{20,250})",
        (b"xox", b"xapp-"),
        _looks_random,
    ),
    Rule(
        "SLACK_WEBHOOK",
        r"(hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_\-]{20,120})",
        (b"hooks.slack",),
        _looks_random,
    ),
    Rule(
        "STRIPE_KEY",
        r"\b((?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,247}|whsec_[A-Za-z0-9+/]{32,100})",
        (b"sk_live_", b"sk_test_", b"rk_live_", b"rk_test_", b"whsec_"),
        _is_no_example,
    ),
    Rule("GOOGLE_API_KEY", r"\b(AIza[A-Za-z0-9_\-]{35})(?:[^A-Za-z0-9_\-]|$)", (b"aiza",), _is_no_example),
    Rule(
        "GOOGLE_OAUTH", r"\b(GOCSPX-[A-Za-z0-9_\-]{28}|ya29\.[A-Za-z0-9_\-]{30,400})", (b"gocspx-", b"ya29."), _is_no_example
    ),
    Rule("ANTHROPIC_KEY", r"\b(sk-ant-[a-z]{3,8}\d\d-[A-Za-z0-9_\-]{60,200})", (b"sk-ant-",), _is_no_example),
    Rule(
        "OPENAI_KEY",
        r"\b(sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_\-]{40,250}|sk-[A-Za-z0-9]{48})(?:[^A-Za-z0-9]|$)",
        (b"sk-",),
        _looks_random,
    ),
    Rule("HUGGINGFACE_TOKEN", r"\b((?:hf|api_org)_[A-Za-z]{34})\b", (b"hf_", b"api_org_"), _is_no_example),
    Rule("NPM_TOKEN", r"\b(npm_[A-Za-z0-9]{36})\b", (b"npm_",), _is_no_example),
    Rule("PYPI_TOKEN", r"\b(pypi-AgE[A-Za-z0-9_\-]{50,})", (b"pypi-age",), _is_no_example),
    Rule(
        "AZURE_KEY",
        r"(?i)(?:AccountKey|SharedAccessKey)=([a-z0-9+/]{43,88}={0,2})",
        (b"accountkey=", b"accesskey="),
        _looks_random,
    ),
    Rule("SENDGRID_KEY", r"\b(SG\.[A-Za-z0-9_\-]{22}\.[A-Za-z0-9_\-]{43})", (b"sg.",), _is_no_example),
    Rule("TWILIO_KEY", r"(?i:twilio)[^\n]{0,60}?\b((?:SK|AC)?[0-9a-f]{32})\b", (b"twilio",), _looks_random),
    Rule("MAILGUN_KEY", r"\b(key-[0-9a-f]{32})\b", (b"key-",), _is_no_example),
    Rule("MAILCHIMP_KEY", r"\b([0-9a-f]{32}-us\d{1,2})\b", (b"-us",), _is_no_example),
    Rule("DIGITALOCEAN_TOKEN", r"\b(do[opr]_v1_[0-9a-f]{64})\b", (b"_v1_",), _is_no_example),
    Rule(
        "SHOPIFY_TOKEN",
        r"\b(shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32})\b",
        (b"shpat_", b"shpca_", b"shppa_", b"shpss_"),
        _is_no_example,
    ),
    Rule("TELEGRAM_TOKEN", r"\b(\d{8,10}:AA[A-Za-z0-9_\-]{33})(?:[^A-Za-z0-9_\-]|$)", (b":aa",), _is_no_example),
    Rule("DISCORD_TOKEN", r"\b([MNO][A-Za-z\d_\-]{23,27}\.[A-Za-z\d_\-]{6}\.[A-Za-z\d_\-]{27,40})", (b".",), _looks_random),
    Rule(
        "DISCORD_WEBHOOK",
        r"(discord(?:app)?\.com/api/webhooks/\d{17,20}/[A-Za-z0-9_\-]{60,80})",
        (b"/api/webhooks/",),
        _is_no_example,
    ),
    Rule("DATABRICKS_TOKEN", r"\b(dapi[0-9a-f]{32}(?:-\d)?)\b", (b"dapi",), _is_no_example),
    Rule("DOCKER_TOKEN", r"\b(dckr_(?:pat|oat)_[A-Za-z0-9_\-]{27,40})", (b"dckr_",), _is_no_example),
    Rule("VAULT_TOKEN", r"\b(hv[sbr]\.[A-Za-z0-9_\-]{24,300})", (b"hvs.", b"hvb.", b"hvr."), _is_no_example),
    Rule("GRAFANA_TOKEN", r"\b(gl(?:sa|c)_[A-Za-z0-9+/=_]{32,300})", (b"glsa_", b"glc_"), _is_no_example),
    Rule("NEWRELIC_KEY", r"\b(NR(?:AK|JS|II)-[A-Za-z0-9\-]{19,40})", (b"nrak-", b"nrjs-", b"nrii-"), _is_no_example),
    Rule("LINEAR_KEY", r"\b(lin_(?:api|oauth)_[A-Za-z0-9]{40,64})", (b"lin_",), _is_no_example),
    Rule("POSTMAN_KEY", r"\b(PMAK-[0-9a-f]{24}-[0-9a-f]{34})\b", (b"pmak-",), _is_no_example),
    Rule("AGE_KEY", r"\b(AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58})", (b"age-secret-key-",), _is_no_example),
    Rule("CITEWELL_TOKEN", r"\b(cw_[A-Za-z0-9]{8}_[A-Za-z0-9_\-]{43})", (b"cw_",), _is_no_example),
    Rule(
        "JWT",
        r"\b(eyJ[A-Za-z0-9_\-]{10,}\.eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{8,})",
        (b"eyj",),
        _is_jwt,
    ),
)
