"""G6 Rewards. Those that ask the player are named by the kind of decision: goods, box, bonus."""

from .board import GOODS_LIMIT, Place
from .cards import draw_unseen, gain_coins
from .table import Table

ASKED = ("goods", "bonus")


def gain(table: Table, seat: int, place: Place) -> str | None:
    """The reward of a house just built; the kind of decision if the player has to choose."""
    if place.is_district:
        gain_district(table, seat, place)
    elif place.reward in ASKED:
        return place.reward
    elif place.reward == "card":
        draw_unseen(table, seat)
    elif place.reward == "key":
        if table.keys:
            table.keys -= 1
            table.players[seat].keys += 1
    else:
        gain_coins(table, seat, {"coin": 1, "two_coins": 2}[place.reward])
    return None


def gain_district(table: Table, seat: int, place: Place) -> None:
    """G6.5: the first and the second house there, of whatever players."""
    number = len(table.houses[place.name])
    if number <= 2:
        table.players[seat].letters[place.kind] += place.letters[number - 1]
    if number == 1:
        gain_coins(table, seat, place.coins_first)
        draw_unseen(table, seat, place.cards_first)


def goods_choices(table: Table) -> list[str]:
    """G6.2: kinds in the display by their rows, and the stack."""
    shown = [f"goods:{card}" for card in table.board.goods if card in table.display]
    return [*shown, "goods:stack"] if table.goods_stack else shown


def take_goods(table: Table, seat: int, text: str) -> bool:
    """The display is refilled at once. True if there is a fifth card now (G6.3)."""
    card = text.removeprefix("goods:")
    if card == "stack":
        card = table.goods_stack.pop(0)
    else:
        table.display.remove(card)
        if table.goods_stack:
            table.display.append(table.goods_stack.pop(0))
    table.players[seat].goods.append(card)
    return len(table.players[seat].goods) > GOODS_LIMIT


def box_choices(table: Table, seat: int) -> list[str]:
    """G6.3: one of the five, equal ones once."""
    return [f"box:{card}" for card in table.board.goods if card in table.players[seat].goods]


def box(table: Table, seat: int, text: str) -> None:
    card = text.removeprefix("box:")
    table.players[seat].goods.remove(card)
    table.boxed.append(card)


def bonus_choices(table: Table) -> list[str]:
    """G6.4."""
    return [f"bonus:{card}" for card in table.bonus_left()]


def take_bonus(table: Table, seat: int, text: str) -> None:
    table.bonus_taken.append((seat, text.removeprefix("bonus:")))
