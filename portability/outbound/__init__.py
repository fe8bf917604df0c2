"""Connections to other hosts: only to those that an operator names, and only at public addresses.

`guard.fetch` gets a document, `guard.post` delivers a message; both are off until a setting names hosts
(`rules.allowed_hosts`). `network.Network` is what a test puts its own in the place of.
"""
