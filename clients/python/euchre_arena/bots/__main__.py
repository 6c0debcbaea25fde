"""Runs a house bot: `python -m euchre_arena.bots NAME`."""

import sys

from euchre_arena import _importing

if __name__ == "__main__":
    _importing.begin()
    from euchre_arena.bots.catalogue import main

    sys.exit(main(sys.argv[1:]))
