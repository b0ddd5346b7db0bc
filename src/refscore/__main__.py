"""`python -m refscore` is the `refscore` command."""

from refscore.cli import main

if __name__ == "__main__":
    main()
