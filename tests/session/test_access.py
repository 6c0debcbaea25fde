"""Who may call what."""

import pytest

from euchre_arena.v1 import arena_service_pb2, match_service_pb2
from euchre_server.session.access import (
    CALLS,
    Authoriser,
    Caller,
    Denied,
    Role,
    current_caller,
    enter,
)
from euchre_server.session.auth import Secret

HOLDERS = {role.value: Caller(f"a-{role}", role) for role in Role}
"""Whose a token is, by its text."""
CONNECT = "/euchre_arena.v1.ArenaService/Connect"
MATCHES = "/euchre_arena.v1.MatchService/"


def authoriser() -> Authoriser:
    """Returns one that knows a token of each role, half of them from each of two sources."""
    known = list(HOLDERS.items())
    return Authoriser(
        [lambda token: dict(known[:1]).get(token.reveal()), lambda t: HOLDERS.get(t.reveal())]
    )


def with_token(text: str) -> list[tuple[str, str | bytes]]:
    """Returns the metadata of a call with a token."""
    return [("user-agent", "test"), ("authorization", f"Bearer {text}")]


ALLOWED = {
    CONNECT: "bot",
    f"{MATCHES}CreateMatch": "operator",
    f"{MATCHES}CancelMatch": "operator",
    f"{MATCHES}GetMatch": "operator or onlooker",
    f"{MATCHES}ListMatches": "operator or onlooker",
    f"{MATCHES}WatchMatch": "operator or onlooker",
}


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("call", list(ALLOWED))
def test_each_role_may_make_its_calls_and_no_other(call: str, role: Role) -> None:
    """A bot plays, an operator does all about matches, an onlooker looks; the role is named."""
    if role.value in ALLOWED[call]:
        assert HOLDERS[role] == authoriser().authorise(call, with_token(role))
        return
    with pytest.raises(Denied) as caught:
        authoriser().authorise(call, with_token(role))
    assert (
        f"{call.rpartition('/')[2]} needs the role {ALLOWED[call]}; this token has the role {role}"
        == str(caught.value)
    )
    assert caught.value.known


def test_the_table_has_every_call() -> None:
    """The table that is tested is the table in force, and has every call of the protocol."""
    services = [
        service
        for file in (arena_service_pb2.DESCRIPTOR, match_service_pb2.DESCRIPTOR)
        for service in file.services_by_name.values()
    ]
    calls = {f"/{service.full_name}/{m.name}" for service in services for m in service.methods}

    assert ALLOWED == {call: " or ".join(roles) for call, roles in CALLS.items()}
    assert calls == set(CALLS)


@pytest.mark.parametrize(
    "metadata",
    [
        [],
        [("authorization", "Bearer ")],
        [("authorization", "bot")],
        [("authorization", "Basic bot")],
        [("authorization", b"Bearer bot")],
        [*with_token("bot"), *with_token("bot")],
        [("Authorization", "Bearer bot")],
    ],
)
@pytest.mark.parametrize("call", [CONNECT, f"{MATCHES}GetMatch", "/euchre_arena.v1.New/Call"])
def test_without_one_good_token_nobody_is_let_through(
    call: str, metadata: list[tuple[str, str | bytes]]
) -> None:
    """No token, two of them, or another scheme: not authenticated."""
    with pytest.raises(Denied, match="authorization: Bearer TOKEN") as caught:
        authoriser().authorise(call, metadata)
    assert not caught.value.known


@pytest.mark.parametrize("call", [CONNECT, f"{MATCHES}GetMatch", "/euchre_arena.v1.New/Call"])
def test_a_token_of_nobody_is_told_from_none(call: str) -> None:
    """Whoever sent it need not look for a fault in the metadata."""
    with pytest.raises(Denied, match=r"^the token is not known here, was revoked or") as caught:
        authoriser().authorise(call, with_token("nobody's"))
    assert not caught.value.known


@pytest.mark.parametrize("role", list(Role))
def test_a_call_that_nobody_has_opened_is_closed(role: Role) -> None:
    """A call that is in no table is refused to every role."""
    with pytest.raises(Denied, match=f"Call is open to no role; this token has the role {role}"):
        authoriser().authorise("/euchre_arena.v1.New/Call", with_token(role))


@pytest.mark.parametrize(
    "call",
    [
        "/grpc.health.v1.Health/Check",
        "/grpc.health.v1.Health/Watch",
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
    ],
)
def test_health_and_reflection_need_no_token(call: str) -> None:
    """Whoever reaches the arena may ask whether it works and what it speaks."""
    assert None is authoriser().authorise(call, [])


def test_no_call_is_open_by_a_name_alike() -> None:
    """What is open to all is whole services, not what begins with their names."""
    with pytest.raises(Denied):
        authoriser().authorise("/grpc.health.v1.Healthy/Check", [])


def test_a_refusal_shows_no_token() -> None:
    """C-45: neither text nor representation of a refusal has the token in it."""
    with pytest.raises(Denied) as caught:
        authoriser().authorise(CONNECT, with_token("very-secret-token"))
    shown = f"{caught.value} {caught.value!r} {caught.value.token!r} {caught.value.__dict__}"
    assert "very-secret-token" not in shown
    assert Secret("very-secret-token").digest() == (caught.value.token or Secret("-")).digest()


async def test_a_handler_learns_who_calls() -> None:
    """Who was let in is known to all that is done on his behalf."""
    enter(HOLDERS["bot"])

    assert HOLDERS["bot"] == current_caller()
