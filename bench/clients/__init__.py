"""Published clients of other libraries, with the originals and with refscore's drop-ins: `python -m bench.clients`."""
