"""Play a random game of each kind through every interface that needs no extra."""

import gymnasium
import numpy as np

import ginkgo_env
from ginkgo_env.envs.registration import gymnasium_ids

for name in ginkgo_env.GAMES:
    game = ginkgo_env.make_game(name)
    batch = ginkgo_env.Batch(game, 2)
    batch.reset(seed=7)
    while not batch.over.all():
        batch.step(batch.sample())

    env = ginkgo_env.env(name)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        env.step(None if termination or truncation else env.action_space(agent).sample(observation["action_mask"]))

    if game.simultaneous:
        parallel = ginkgo_env.parallel_env(name)
        _, infos = parallel.reset(seed=7)
        while parallel.agents:
            masks = {agent: infos[agent]["action_mask"] for agent in parallel.agents}
            *_, infos = parallel.step({agent: parallel.action_space(agent).sample(mask) for agent, mask in masks.items()})

    identifier = f"ginkgo_env:{next(iter(gymnasium_ids(name)))}"
    learner = gymnasium.make(identifier)
    _, info = learner.reset(seed=7)
    over = False
    while not over:
        *_, terminated, truncated, info = learner.step(learner.action_space.sample(info["action_mask"]))
        over = terminated or truncated

    vector = gymnasium.make_vec(identifier, num_envs=2)
    _, infos = vector.reset(seed=7)
    over = np.zeros(2, bool)
    while not over.all():
        *_, terminations, truncations, infos = vector.step(infos["action_mask"].argmax(axis=1))
        over |= terminations | truncations
    print(name, env.possible_agents)
