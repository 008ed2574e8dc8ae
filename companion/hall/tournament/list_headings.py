"""The headings in lists of players, in the languages of the people who keep such lists."""

from __future__ import annotations

import regex

from companion.engine.names import plain_letters

WORD = regex.compile(r"\p{L}+")
GIVEN = {
    "prenom", "prenoms", "vorname", "vornamen", "imie", "imiona", "voornaam", "fornavn", "fornamn", "firstname",
    "givenname", "forename", "forenames", "fname", "名",
}  # fmt: skip
FIRST = {"first", "given"}
"""Given names, even beside the word for a name: a `first name` is not a whole one, a `nom et prénom` is."""
FAMILY = {
    "last", "family", "surname", "lastname", "lname", "familyname", "famille", "nachname", "familienname", "zuname",
    "nazwisko", "cognome", "apellido", "apellidos", "achternaam", "efternamn", "etternavn", "efternavn", "prijmeni",
    "sobrenome", "apelido", "фамилия", "姓",
}  # fmt: skip
NAME = {
    "name", "names", "nom", "noms", "nome", "nomi", "nombre", "nombres", "namen", "naam", "navn", "namn", "jmeno",
    "имя",
}  # fmt: skip
"""The whole name, or what another half's column leaves of it: `Nom` beside `Prénom`, `Nome` beside `Cognome`."""
WHOLE = {
    "fullname", "playername", "fio", "фио", "氏名", "名前", "姓名", "お名前",
}  # fmt: skip
FULL = {
    "full", "complete", "complet", "complets", "completo", "completa", "vollstandiger",
}  # fmt: skip
PLAYER = {
    "player", "players", "joueur", "joueuse", "joueurs", "joueuses", "spieler", "spielerin", "jugador", "jugadora",
    "giocatore", "giocatrice", "gracz", "zawodnik", "teilnehmer", "teilnehmerin", "participant", "participants",
    "participante", "attendee", "игрок", "選手",
}  # fmt: skip
BESIDE = {
    "de", "du", "des", "del", "della", "of", "the", "et", "and", "und", "y", "e", "i", "s", "a", "ton", "votre", "your",
    "dein", "ihr",
}  # fmt: skip
SUMS = {
    "total", "totals", "totale", "totaux", "sum", "summe", "gesamt", "gesamtsumme", "insgesamt", "somme", "suma",
    "razem", "celkem", "subtotal", "итого", "合計",
}  # fmt: skip


def heading_kind(cell: str) -> str:
    """Return the kind of a heading: `whole`, `given`, `family`, `name` or `player`; an empty text for any other."""
    words = set(WORD.findall(plain_letters(cell)))
    if regex.search(r"\d", cell) or not words <= GIVEN | FAMILY | NAME | WHOLE | PLAYER | FULL | FIRST | BESIDE:
        return ""
    given, family, name = words & (GIVEN | FIRST), words & FAMILY, words & NAME
    if words & WHOLE or (given and family) or (name and (words & GIVEN or words & FULL)):
        return "whole"
    kinds = ((family, "family"), (given, "given"), (name, "name"), (words & PLAYER, "player"))
    return next((kind for found, kind in kinds if found), "")


def is_sum(cell: str) -> bool:
    """Whether a cell is a sum's heading or only a number."""
    words = set(WORD.findall(plain_letters(cell)))
    return words <= SUMS | {"sous", "grand", "general"} and bool(
        words & SUMS or regex.fullmatch(r"[^\p{L}]*\d[^\p{L}]*", cell)
    )
