"""`python -m refscore.compat.sacrebleu`: sacrebleu's command line."""

import signal

from refscore.compat.sacrebleu.sacrebleu import main

if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # like sacrebleu: no error when the reader closes the pipe
    main()
