"""Run the `refscore` command by `python -m refscore`."""

from refscore.cli import main

if __name__ == "__main__":
    main()
