"""Owns ``euchre-arena bot``: runs a house bot, which dials the arena as any other bot does."""

from __future__ import annotations

import json

import click

from euchre_server.hosting.house import house_bot_games, house_bot_names, unknown_house_bot

__all__ = ["bot_command"]


@click.command("bot")
@click.argument("name")
@click.option(
    "--view-mode",
    type=click.Choice(["full", "lean"]),
    help="How views travel: whole, or only what changes. The bot plays the same.",
)
@click.option("--json", "as_json", is_flag=True, help="Say what it is as JSON; do not run it.")
@click.pass_context
def bot_command(context: click.Context, name: str, *, view_mode: str | None, as_json: bool) -> None:
    """Run the house bot NAME and let it play in an arena.

    The arena's address and the bot's token are read from EUCHRE_ARENA_SERVER and
    EUCHRE_ARENA_TOKEN. A match starts its house bots by itself; this is for dialling one that runs
    elsewhere, with `--bot NAME=remote`.
    """
    if name not in house_bot_names():
        raise click.UsageError(unknown_house_bot(name))
    if as_json:
        click.echo(json.dumps({"bot": name, "games": house_bot_games(name)}))
        return
    from euchre_arena.bots.catalogue import main  # noqa: PLC0415  # brings gRPC along

    context.exit(main([name] if view_mode is None else [name, "--view-mode", view_mode]))
