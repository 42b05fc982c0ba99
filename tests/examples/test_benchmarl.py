"""BenchMARL: a task of its own kind for the parallel environment, as its page on extensions says, and IPPO with masks."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("benchmarl")

from benchmarl.algorithms import IppoConfig
from benchmarl.environments.common import Task
from benchmarl.environments.pettingzoo.common import PettingZooClass
from benchmarl.experiment import Experiment, ExperimentConfig
from benchmarl.models.mlp import MlpConfig
from torchrl.envs import PettingZooWrapper

import ginkgo_env

pytestmark = pytest.mark.filterwarnings("ignore")


class GinkgoTasks(PettingZooClass):
    """The class of PettingZoo tasks, with our environment in place of one that is made by its name."""

    def get_env_fun(self, num_envs: int, continuous_actions: bool, seed: int | None, device: Any) -> Callable[[], Any]:
        options = copy.deepcopy(self.config)
        limit = options.pop("max_cycles")
        return lambda: PettingZooWrapper(
            ginkgo_env.parallel_env(**options, max_cycles=limit),
            use_mask=True,
            categorical_actions=True,
            device=device,
            seed=seed,
            done_on_any=False,
        )

    def supports_discrete_actions(self) -> bool:
        return True

    def has_render(self, env: Any) -> bool:
        return False

    @staticmethod
    def env_name() -> str:
        return "ginkgo_env"


class GinkgoTask(Task):
    MY_CITY = None

    @staticmethod
    def associated_class() -> type[GinkgoTasks]:
        return GinkgoTasks


def test_ippo(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    settings = ExperimentConfig.get_from_yaml()
    settings.loggers, settings.create_json, settings.save_folder = [], False, str(tmp_path)
    settings.evaluation, settings.max_n_iters, settings.max_n_frames = False, 2, None
    settings.on_policy_collected_frames_per_batch = settings.on_policy_minibatch_size = 64
    settings.on_policy_n_envs_per_worker, settings.on_policy_n_minibatch_iters = 1, 1
    config = {"game": "my_city", "players": 2, "observation": "features", "max_cycles": 100}
    experiment = Experiment(
        task=GinkgoTask.MY_CITY.get_task(config=config),
        algorithm_config=IppoConfig.get_from_yaml(),
        model_config=MlpConfig.get_from_yaml(),
        seed=0,
        config=settings,
    )
    experiment.run()
    assert experiment.total_frames == 128
