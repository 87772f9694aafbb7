"""Questions that are offered: starters for an empty conversation, follow-ups under an answer.

Each was asked once, without a language model and kept nowhere, before it is offered.
"""
