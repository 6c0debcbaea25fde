"""Owns the options of where and how an arena listens, which ``match`` and ``serve`` share."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from euchre_server.cli.option_group import option_group
from euchre_server.cli.parsed import Count
from euchre_server.session import (
    ServerTls,
    TlsError,
    Unprotected,
    check_protected,
    is_loopback,
    load_server_tls,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LISTEN_OPTIONS", "Listening", "check_host", "listen_options", "read_listening"]

LISTEN_OPTIONS = frozenset(
    {"host", "port", "tls_cert", "tls_key", "tls_client_ca", "insecure", "reflection"}
)
"""The names of what `listen_options` adds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listening:
    """Where and how an arena listens."""

    host: str
    port: int
    tls: ServerTls | None
    insecure: bool
    """Whether it may listen beyond loopback without TLS."""
    reflection: bool


listen_options = option_group(
    click.option(
        "--host", default="127.0.0.1", show_default=True, help="The address to listen at."
    ),
    click.option(
        "--port",
        type=Count(0, 65535),
        default=0,
        help="The port to listen at. [default: any free one]",
    ),
    click.option(
        "--tls-cert",
        type=click.Path(path_type=Path),
        help="The arena's certificate (PEM): listen with TLS.",
    ),
    click.option(
        "--tls-key", type=click.Path(path_type=Path), help="The key of that certificate (PEM)."
    ),
    click.option(
        "--tls-client-ca",
        type=click.Path(path_type=Path),
        help="Let only those in who show a certificate of this CA (PEM), and their token.",
    ),
    click.option(
        "--insecure",
        is_flag=True,
        help="Listen beyond loopback without TLS: something else protects the way.",
    ),
    click.option(
        "--reflection/--no-reflection",
        default=None,
        help="Whether tools such as grpcurl may ask what the services look like. "
        "[default: on loopback only]",
    ),
)
"""Adds the options to a command."""


def check_host(host: str, option: str, port_option: str) -> None:
    """Refuses what is no address alone, which resolvers would take for something else.

    Raises:
        click.BadParameter: It is empty, or has a port in it.
    """
    try:
        if ":" in host:
            ipaddress.IPv6Address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        host = ""
    if not host:
        raise click.BadParameter(
            f"write an address alone, such as 127.0.0.1; the port is said by {port_option}",
            param_hint=f"'{option}'",
        )


def read_listening(options: Mapping[str, Any]) -> Listening:
    """Returns what the options say.

    Raises:
        click.UsageError: They do not fit together, a file does not do, or tokens and cards would
            travel readable beyond this machine.
    """
    certificate, key, client_ca = (
        options[name] for name in ("tls_cert", "tls_key", "tls_client_ca")
    )
    if (certificate is None) != (key is None):
        raise click.UsageError("give --tls-cert and --tls-key together, or neither")
    if client_ca is not None and certificate is None:
        raise click.UsageError("--tls-client-ca needs --tls-cert and --tls-key")
    host = options["host"]
    check_host(host, "--host", "--port")
    try:
        check_protected(host, tls=certificate is not None, insecure=options["insecure"])
        tls = None if certificate is None else load_server_tls(certificate, key, client_ca)
    except (TlsError, Unprotected) as error:
        raise click.UsageError(str(error)) from None
    return Listening(
        host=host,
        port=options["port"],
        tls=tls,
        insecure=options["insecure"],
        reflection=is_loopback(host) if options["reflection"] is None else options["reflection"],
    )
