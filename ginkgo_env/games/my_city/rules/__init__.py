"""The rules as compiled kernels on one record g, with the components t of board and buildings."""
