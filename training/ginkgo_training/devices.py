"""Devices on which networks are trained. Games are always played on the processor; GPUs are untested."""

from __future__ import annotations

import torch

from ginkgo_env.core.errors import ConfigError, short_repr


def chosen_device(name: str = "cpu") -> torch.device:
    """The device with a name such as ``cpu`` or ``cuda:1``; ``auto`` takes a GPU if there is one.

    Raises ConfigError for a device that is unknown or absent.
    """
    if name == "auto":
        accelerator = torch.accelerator.current_accelerator(check_available=True)
        return accelerator if accelerator is not None and accelerator.type == "cuda" else torch.device("cpu")
    try:
        device = torch.device(name)
        torch.zeros(1, device=device).cpu()
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise ConfigError(f"cannot train on {short_repr(name)}: {str(error).splitlines()[0]}") from None
    return device
