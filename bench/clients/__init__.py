"""Programs that use other libraries, run with the originals and with refscore's drop-ins: `python -m bench.clients`."""
