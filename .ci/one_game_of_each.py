"""Play a random game of each kind through PettingZoo, and import what the other dependencies are for."""

from importlib.metadata import version

import ginkgo_env
import ginkgo_table.web.server  # noqa: F401 -- needs Starlette and uvicorn

print(*(f"{name} {version(name)}" for name in ("numpy", "numba", "gymnasium", "pettingzoo", "typer", "starlette")), sep=", ")
for name in ginkgo_env.GAMES:
    env = ginkgo_env.env(name)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        env.step(None if termination or truncation else env.action_space(agent).sample(observation["action_mask"]))
    print(name, env.possible_agents)
