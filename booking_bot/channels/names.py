"""The names a server goes by, and who speaks to one that asks for no token. Shared by the servers."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

GUEST: Final = "guest"
"""Who everybody is on a loopback host without a secret."""
LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
PROBES: Final = frozenset({"/healthz", "/readyz", "/metrics"})
"""Asked from the server's own machine, whatever name the server has for others."""


def is_loopback(host: str) -> bool:
    """Tell whether a host to listen on is reached from this machine only."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Names:
    """Tells whether a request is for this server.

    Without a secret only names of this machine are answered to, so that no foreign page whose name resolves to it can
    speak as the guest.

    Args:
        hosts: the names given by the operator; when empty any, or those of this machine when the server is open.
        open_to_all: no secret is set.
        bound: the address listened on, which is a name too unless it stands for all addresses.
    """

    def __init__(self, hosts: Iterable[str] = (), *, open_to_all: bool, bound: str | None = None) -> None:
        given = frozenset(map(_normal, hosts))
        names = given or (LOOPBACK_NAMES if open_to_all else None)
        if names is not None and bound and not _is_unspecified(bound):
            names |= {_normal(bound)}
        self.all: frozenset[str] | None = names
        """All names, None for any."""

    def fit(self, host: str | None, path: str) -> bool:
        """Tell whether a Host header names this server.

        Args:
            host: None or empty when there is none, or more than one.
        """
        name = name_of(host) if host else None
        if name is None:
            return False
        return self.all is None or name in self.all or (path in PROBES and name in LOOPBACK_NAMES)


def name_of(host: str) -> str | None:
    """Give the name in a Host header, without the port; None when there is none in it."""
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return None
    return _normal(name) if name else None


def _normal(name: str) -> str:
    try:
        return str(ipaddress.ip_address(name.strip("[]")))
    except ValueError:
        return name.lower()


def _is_unspecified(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False
