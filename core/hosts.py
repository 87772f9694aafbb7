"""Names and addresses of hosts, as URLs and Host headers write them."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


def host_of(url: str) -> str:
    """The host in a URL or, behind ``//``, in a Host header: lower case, no port; empty when none."""
    try:
        return (urlsplit(url).hostname or "").casefold()
    except ValueError:
        return ""


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own."""
    if host.casefold().rstrip(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
