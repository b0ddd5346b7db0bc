"""`python -m refscore.compat.sacrebleu`: sacrebleu's command line."""

from refscore.compat.sacrebleu.sacrebleu import main

if __name__ == "__main__":
    main()
