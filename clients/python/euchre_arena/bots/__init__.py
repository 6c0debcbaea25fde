"""The house bots: ordinary bots of this client, run by `python -m euchre_arena.bots NAME`."""
