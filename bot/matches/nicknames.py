"""What people call themselves now, until their matches show it.

A name is learned whenever its person presses or types anything in a server, since the interaction carries the
member. It is stored with the next change of a match that the public is told of, by whomever. So a name never
tells of an act in secret: a person who opens a panel and closes it again is renamed just so. It can tell that
its person has used the bot in that server since they changed it.

It is kept in memory alone: after a restart it is learned again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import replace

from bot.domain.jobs import JobKind, NewJob
from bot.domain.tables import Chair, Person, PersonId
from bot.matches.loaded_table import LoadedTable

CAPACITY = 10_000
"""Names that are remembered."""


class Nicknames:
    """The latest name of each person in each server."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._names: OrderedDict[tuple[int, PersonId], tuple[int, str]] = OrderedDict()
        """By server and person: the interaction that brought the name, and the name."""

    def learn(self, guild_id: int, person: Person, interaction_id: int) -> None:
        """Note a person's name in a server; one that an older interaction brings late is not taken."""
        key = guild_id, person.id
        if interaction_id < self._names.get(key, (0, ""))[0]:
            return
        self._names[key] = interaction_id, person.name
        self._names.move_to_end(key)
        if len(self._names) > self._capacity:
            self._names.popitem(last=False)

    def forget(self, person: PersonId) -> None:
        """Forget somebody who has deleted their data."""
        for key in [key for key in self._names if key[1] == person]:
            del self._names[key]

    def shown(
        self, old: LoadedTable | None, new: LoadedTable, jobs: Iterable[NewJob]
    ) -> tuple[LoadedTable, list[NewJob]]:
        """Return a change of a table with its people's present names, and with a job to show them.

        A change in secret stays as it is.
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
        """Return a person by the name that they have now, as far as is known."""
        _, name = self._names.get((guild_id, person.id), (0, person.name))
        return person if name == person.name else replace(person, name=name)


def _renamed(chair: Chair, person: Person) -> Chair:
    return chair if person is chair.person else replace(chair, person=person, name=person.name)


def _is_public(old: LoadedTable | None, new: LoadedTable) -> bool:
    """Return whether everybody is told of a change; before the match, everybody is."""
    if old is None or old.log is None or new.log is None:
        return True
    return new.log.public is not old.log.public
