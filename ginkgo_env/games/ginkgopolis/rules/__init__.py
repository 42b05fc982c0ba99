"""The rules as compiled kernels on one record, a module for each thing on the table."""
