"""The rules as compiled kernels on one record g, with the tables t of board and buildings."""
