"""Hostile people: the whole bot under interactions that no honest client would send.

What is real: the client of :mod:`bot.app` with its command tree and router, the use cases, SQLite on
disk, the outbox worker, and discord.py from the gateway's payload (``parse_interaction_create``) to the
request that it is about to send. What stands in: Discord itself (:mod:`bench.hostile.wire`, at the two
functions through which discord.py sends requests) and the painters, whose pictures are measured
elsewhere: here each view that would be painted is compared with what its reader may see.

One seed gives one run: the people, the matches' shuffles, the garbage and the order of everything.
"""
