"""A table's own record of results: it resends each result until the hall's database has it."""

from __future__ import annotations

import threading
from collections.abc import Collection

from msgspec.structs import replace

from companion.devices.hall_link.membership import MatchReport, Membership, MembershipStore
from companion.devices.hall_link.messages import Result, SignedResult, receipt
from companion.devices.hall_link.reports import result_of
from companion.engine import AnyGame, AnyState, Setup
from companion.engine.names import name_key


class ResultBook:
    """The reports of all matches since the table joined. Any thread may call it except the table's own."""

    def __init__(self, store: MembershipStore, membership: Membership) -> None:
        self._store, self._grant = store, membership.grant
        self._key = store.key(membership.grant.hall)
        self._lock = threading.Lock()
        self._reports: dict[str, MatchReport] = store.reports()

    @property
    def owed(self) -> int:
        """The number of results that the hall has not confirmed yet."""
        return sum(report.owed for report in list(self._reports.values()))

    def result(self, match: str) -> Result | None:
        """Return the result of a match that has ended."""
        report = self._reports.get(match)
        return None if report is None else report.result

    def round_of(self, match: str) -> int:
        """Return the round that a match belongs to; 0 for none."""
        report = self._reports.get(match)
        return 0 if report is None else report.round

    def without_result(self) -> tuple[str, ...]:
        """Return the matches that have begun and, as far as we know, not ended."""
        return tuple([match for match, report in list(self._reports.items()) if report.result is None])

    def owed_results(self) -> list[SignedResult]:
        """Return the unconfirmed results, ready to send."""
        reports = list(self._reports.values())
        return [self._key.sign(report.result) for report in reports if report.owed and report.result is not None]

    def owes(self, round_number: int, names: Collection[str]) -> bool:
        """Return whether the hall still lacks a match of a round by exactly these people."""
        people = set(map(name_key, names))
        return any(
            report.owed
            and report.result is not None
            and report.result.round == round_number
            and people == set(map(name_key, report.result.names))
            for report in list(self._reports.values())
        )

    def begin(self, match: str, round_number: int, tournament: int) -> None:
        """Note a new match with the round and the tournament in which it began."""
        with self._lock:
            if match not in self._reports:
                self._keep(match, MatchReport(round_number, tournament=tournament))

    def finish(self, match: str, game: AnyGame, setup: Setup, state: AnyState) -> bool:
        """Keep the result of a finished match; return whether it has changed."""
        with self._lock:
            report = self._reports[match]
            old = report.result
            new = result_of(
                game, setup, state, hall=self._grant.hall, table=self._grant.table, match=match,
                round_number=report.round, sequence=1 if old is None else old.sequence + 1,
            )  # fmt: skip
            new = replace(new, tournament=report.tournament)
            if old is not None and (old.placings, old.names) == (new.placings, new.names):
                return False
            self._keep(match, replace(report, result=new, owed=True))
            return True

    def say(self, match: str, seat: int, right: bool) -> bool:
        """Have a seat confirm or dispute a result; return False if it repeats itself or there is no result."""
        with self._lock:
            report = self._reports.get(match)
            result = None if report is None else report.result
            if report is None or result is None or not 0 <= seat < len(result.names):
                return False
            confirmed, disputed = set(result.confirmed) - {seat}, set(result.disputed) - {seat}
            (confirmed if right else disputed).add(seat)
            said = replace(result, confirmed=tuple(sorted(confirmed)), disputed=tuple(sorted(disputed)))
            if said == result:
                return False
            if seat in (*result.confirmed, *result.disputed):  # a changed mind is a new statement
                said = replace(said, sequence=result.sequence + 1)
            self._keep(match, replace(report, result=said, owed=True))
            return True

    def settle(self, received: str) -> None:
        """Note that the hall's database has the result with this receipt."""
        with self._lock:
            for match, report in self._reports.items():
                if report.owed and report.result is not None and receipt(self._key.sign(report.result)) == received:
                    self._keep(match, replace(report, owed=False))
                    return

    def _keep(self, match: str, report: MatchReport) -> None:
        self._store.keep_report(match, report)
        self._reports[match] = report
