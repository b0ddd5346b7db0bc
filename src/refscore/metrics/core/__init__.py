"""Code that all metrics share: the contract, settings, running, row sums, selection and registration."""
