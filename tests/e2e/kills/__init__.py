"""The house under attack: people play by their windows while the bot is killed again and again.

``people`` says what they do, ``points`` when the bot is killed, ``books`` what its database holds,
``truth`` and ``secrets`` what must be so afterwards, ``rounds`` puts it together. The tests and
``bench/kills.py`` share all of it.
"""
