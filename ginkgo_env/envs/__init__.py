"""Front ends: the games through the interfaces of other libraries.

Importing this registers them there: at once with the libraries that are imported, with others when they are.
"""

from ginkgo_env.envs.import_hook import when_imported
from ginkgo_env.envs.registration import register_gymnasium, register_pettingzoo

when_imported("gymnasium", register_gymnasium)
when_imported("pettingzoo", register_pettingzoo)
