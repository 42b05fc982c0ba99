"""Examples of training with other libraries, and what of those works on these environments; skipped where they are missing."""
