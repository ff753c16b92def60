"""People's current names, kept until their matches show them.

A name is learned from every interaction of its person in a server, since interactions carry the member. It is
stored with the next public change of a match, made by anybody. So a new name never reveals a secret act: a
person who only opens and closes a panel is renamed in the same way. It can reveal that the person has used
the bot in that server since the change.

Names are kept in memory only: after a restart they are learned again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import replace

from bot.domain.jobs import JobKind, NewJob
from bot.domain.tables import Chair, Person, PersonId
from bot.matches.loaded_table import LoadedTable

CAPACITY = 10_000
"""Maximum names kept."""


class Nicknames:
    """The latest name of each person in each server."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._names: OrderedDict[tuple[int, PersonId], tuple[int, str]] = OrderedDict()
        """By server and person: the interaction that the name came with, and the name."""

    def learn(self, guild_id: int, person: Person, interaction_id: int) -> None:
        """Store a person's name in a server, unless a newer interaction has already brought one."""
        key = guild_id, person.id
        if interaction_id < self._names.get(key, (0, ""))[0]:
            return
        self._names[key] = interaction_id, person.name
        self._names.move_to_end(key)
        if len(self._names) > self._capacity:
            self._names.popitem(last=False)

    def forget(self, person: PersonId) -> None:
        """Forget the names of a person who deleted their data."""
        for key in [key for key in self._names if key[1] == person]:
            del self._names[key]

    def shown(
        self, old: LoadedTable | None, new: LoadedTable, jobs: Iterable[NewJob]
    ) -> tuple[LoadedTable, list[NewJob]]:
        """Add people's current names to a change of a table, and a job to show them.

        A secret change is left as it is.
        """
        todo = list(jobs)
        if not _is_public(old, new):
            return new, todo
        info, guild_id = new.info, new.info.place.guild_id
        chairs = tuple(
            chair if chair.person is None else _renamed(chair, self.present(guild_id, chair.person))
            for chair in info.chairs
        )
        host = self.present(guild_id, info.host)
        if chairs == info.chairs and host == info.host:
            return new, todo
        if all(job.kind is not JobKind.LOBBY for job in todo):
            todo.append(NewJob(new.id, JobKind.LOBBY))
        return new.with_info(chairs=chairs, host=host), todo

    def present(self, guild_id: int, person: Person) -> Person:
        """Return a person with their latest known name."""
        _, name = self._names.get((guild_id, person.id), (0, person.name))
        return person if name == person.name else replace(person, name=name)


def _renamed(chair: Chair, person: Person) -> Chair:
    return chair if person is chair.person else replace(chair, person=person, name=person.name)


def _is_public(old: LoadedTable | None, new: LoadedTable) -> bool:
    """Return whether a change is public; before the match, every change is."""
    if old is None or old.log is None or new.log is None:
        return True
    return new.log.public is not old.log.public
