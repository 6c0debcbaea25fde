"""Runs a house bot: `python -m euchre_arena.bots NAME`."""

import sys

from euchre_arena.bots.catalogue import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
