"""The rules as compiled kernels on one record g and the tables t of board and buildings."""
