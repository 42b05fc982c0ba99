"""Front ends: the games through the interfaces of other libraries.

Importing this package registers the games with those libraries: at once if a library is imported already, else on its import.
"""

from ginkgo_env.envs.registration import register_gymnasium, register_pettingzoo, when_imported

when_imported("gymnasium", register_gymnasium)
when_imported("pettingzoo", register_pettingzoo)
