"""The program `mote` of an installed wheel, which has it in this folder."""
import os
import sys
from pathlib import Path


def main() -> None:
    program = Path(__file__).parent / "bin" / "mote"
    os.execv(program, [str(program), *sys.argv[1:]])
