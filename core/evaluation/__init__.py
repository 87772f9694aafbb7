"""How well the system answers a set of questions whose answers are known.

Asks through the same chat service as the pages; imports neither a store nor a model.
"""
