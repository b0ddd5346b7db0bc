"""Other libraries' interfaces over refscore, one module each."""
