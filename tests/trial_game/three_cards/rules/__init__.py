"""The rules: kernels on one record g and the deck's components."""
