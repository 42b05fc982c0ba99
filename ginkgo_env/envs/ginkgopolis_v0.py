"""Ginkgopolis under a name in the style of PettingZoo: ``ginkgopolis_v0.env(players=3)``."""

from ginkgo_env.envs.aec import env, raw_env

__all__ = ["env", "raw_env"]
