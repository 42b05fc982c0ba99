"""Training of agents: trainers, and runs that drive, evaluate, log and save them.

``lookahead`` and ``ppo`` have the two trainers, ``runs`` the loop, ``settings`` what can be set, ``cli`` the commands
``ginkgo train`` and ``ginkgo evaluate``. Importing the package imports nothing else; the trainers require torch.
"""
