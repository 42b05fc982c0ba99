"""Training of agents: trainers, and runs that drive, evaluate, log and save them.

``lookahead``, ``ppo`` and ``search`` hold the trainers, ``runs`` the training loop, ``settings`` the settings, ``cli`` the
commands ``ginkgo train`` and ``ginkgo evaluate``. Importing the package imports nothing else; the trainers require torch.
"""
