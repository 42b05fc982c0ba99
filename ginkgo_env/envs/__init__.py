"""Front ends: the games through the interfaces of other libraries. Importing this registers them there."""

from ginkgo_env.envs.registration import register_pettingzoo

register_pettingzoo()
