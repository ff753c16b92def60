"""Working tables, made from a view or from a state; and the state that a table leads to."""

from __future__ import annotations

from dataclasses import replace

from engines.core.contract import Seat
from engines.core.rng import Stream
from engines.corto.board import in_order
from engines.corto.state import Public, State
from engines.corto.table import Secrets, Standing, Table
from engines.corto.view import CardId, CharacterView, Figurine, QuestView, TurnView, View


def table_of_state(state: State, seat: Seat, stream: Stream) -> Table:
    """Return the table of a seat's sentence, with all that is hidden; ``stream`` draws its random cards.

    ``hand`` is the seat's own list in the secrets: what changes one changes the other.
    """
    public = state.public
    secrets = Secrets(
        decks=dict(zip(public.strips, map(list, state.decks), strict=True)),
        hands=[list(hand) for hand in state.hands],
        faces=dict(zip(public.strips, map(list, state.faces), strict=True)),
        seen=[set(cards) for cards in state.seen],
        under=[set(cards) for cards in state.under],
        stream=stream,
    )
    backs = [sorted(card[0] for card in hand) for hand in state.hands]
    sizes = {strip: len(deck) for strip, deck in secrets.decks.items()}
    return _table(public, seat, secrets.hands[seat], backs, sizes, secrets)


def table_of_view(view: View, seat: Seat | None = None) -> Table:
    """Return the table of the viewer's draft, or of ``seat`` as the viewer sees it; it holds no secrets."""
    acting = seat if seat is not None else view.viewer
    if acting is None:
        raise ValueError("the public has no draft")
    hand = [card.card for card in view.players[acting].hand if card.card is not None]
    backs = [sorted(card.deck for card in player.hand) for player in view.players]
    sizes = dict(zip(view.strips, view.decks, strict=True))
    return _table(public_of(view), acting, hand, backs, sizes, None)


def _table(
    public: Public,
    seat: Seat,
    hand: list[CardId],
    backs: list[list[str]],
    sizes: dict[str, int],
    secrets: Secrets | None,
) -> Table:
    return Table(
        seat=seat,
        colours=public.colours,
        strips=public.strips,
        board={found.square: Standing(found.card, list(found.markers)) for found in public.board},
        figurines={Figurine.CORTO: public.corto, Figurine.RASPUTIN: public.rasputin},
        stock=list(public.stock),
        seal=[list(cards) for cards in public.seal],
        corto_gold=list(public.corto_gold),
        kept=[list(cards) for cards in public.kept],
        left=frozenset(public.left),
        hand=hand,
        backs=backs,
        deck_sizes=sizes,
        discards=dict(zip(public.strips, map(list, public.discards), strict=True)),
        pieces={quest.strip: list(quest.pieces) for quest in public.quests},
        turn=public.turn if public.turn is not None else TurnView(seat),
        secrets=secrets,
    )


def public_after(public: Public, table: Table) -> Public:
    """Return the public part with the table's board, markers, pieces and turn.

    Step, phase, passes, draws owed, recap and news are the rules' own to change.
    """
    return replace(
        public,
        board=board_of(table),
        corto=table.figurines[Figurine.CORTO],
        rasputin=table.figurines[Figurine.RASPUTIN],
        stock=tuple(table.stock),
        seal=tuple(map(tuple, table.seal)),
        corto_gold=tuple(table.corto_gold),
        kept=tuple(map(tuple, table.kept)),
        discards=tuple(tuple(table.discards[strip]) for strip in table.strips),
        quests=tuple(QuestView(strip, tuple(table.pieces[strip])) for strip in table.strips),
        turn=table.turn,
    )


def state_after(state: State, table: Table) -> State:
    """Return the state that a table made by :func:`table_of_state` leads to (see :func:`public_after`)."""
    secrets = table.hidden()
    strips = table.strips
    return State(
        public=public_after(state.public, table),
        decks=tuple(tuple(secrets.decks[strip]) for strip in strips),
        hands=tuple(map(tuple, secrets.hands)),
        faces=tuple(tuple(secrets.faces[strip]) for strip in strips),
        seen=tuple(tuple(sorted(cards)) for cards in secrets.seen),
        under=tuple(tuple(sorted(cards)) for cards in secrets.under),
    )


def board_of(table: Table) -> tuple[CharacterView, ...]:
    """Return the characters as plain data, by strip from the top and by column."""
    return tuple(
        CharacterView(square, table.board[square].card, tuple(table.board[square].markers))
        for square in in_order(table.strips, table.board)
    )


def revealed(state: State) -> State:
    """Return a state that is over with nothing left to know: hands and decks sorted, no secrets kept.

    The rules call it as a match ends: the views then show all hands, and the order of what is left in the
    decks and face down, which nobody will ever see, is forgotten.
    """
    none = tuple(() for _ in state.hands)
    return replace(
        state,
        decks=tuple(tuple(sorted(deck)) for deck in state.decks),
        hands=tuple(tuple(sorted(hand)) for hand in state.hands),
        faces=tuple(tuple(sorted(faces)) for faces in state.faces),
        seen=none,
        under=none,
    )


def public_of(view: View) -> Public:
    """Return the public part, which every view holds."""
    players = view.players
    return Public(
        step=view.step,
        phase=view.phase,
        colours=tuple(player.colour for player in players),
        strips=view.strips,
        board=view.board,
        corto=view.corto,
        rasputin=view.rasputin,
        stock=tuple(player.stock for player in players),
        seal=tuple(player.seal for player in players),
        corto_gold=tuple(player.corto_gold for player in players),
        kept=tuple(player.kept for player in players),
        to_draw=tuple(player.to_draw for player in players),
        discards=view.discards,
        quests=view.quests,
        first=view.first,
        place=view.place,
        turn=view.turn,
        passes=view.passes,
        recap=view.recap,
        news=view.news,
        left=view.left,
        limited=tuple(player.limited for player in players),
        ranks=view.ranks,
        reason=view.reason,
    )
