"""What a client sends over its stream: to the tables, at its own cost."""

from skat.v1 import play_service_pb2 as pb
from skat_server.errors import Reason, RefusedError
from skat_server.rpc.errors import reason_to_proto
from skat_server.rpc.play.requests import check_submissions, submission_from_proto
from skat_server.rpc.play.results import Results
from skat_server.rpc.play.unasked import Unasked
from skat_server.tables.sessions import Session, Sessions


class Inbox:
    """Takes the requests of one stream.

    What settles an open decision is free, whatever the number. What is refused or repeated, and
    what is empty, costs; whoever has spent too much is refused everything but answers.
    """

    def __init__(
        self, session: Session, sessions: Sessions, unasked: Unasked, results: Results
    ) -> None:
        """Take requests of a session."""
        self._session = session
        self._sessions = sessions
        self._unasked = unasked
        self._results = results

    def take(self, request: pb.PlayRequest) -> None:
        """Take one request; nothing from a session that has ended.

        The end of a stream waits for whoever does not read. Until then it must not play on with
        a token that was revoked, or beside the session that has taken its place (T1).

        Raises:
            RefusedError: the stream ends: INVALID_FIELD, RATE_LIMITED.
        """
        if self._session.ended is not None:
            return
        self._session.heard()
        submissions = request.submissions[:]  # a list, which is gone through in half the time
        check_submissions(submissions)
        if request.HasField("heartbeat"):
            self._unasked.beaten()
        elif not submissions and not request.HasField("hello"):
            self._unasked.charge()
        for submission in submissions:
            self._submit(submission)

    def _submit(self, submission: pb.Submission) -> None:
        def done(refusal: RefusedError | None) -> None:
            if refusal is not None:
                self._refuse(submission, refusal)

        player_id = self._session.player_id
        try:
            submitted = submission_from_proto(submission)
        except RefusedError as refusal:
            self._refuse(submission, refusal)
            return
        if self._unasked.is_limited and not self._sessions.is_asked(player_id, submitted):
            self._refuse(submission, self._unasked.refusal)
        elif self._sessions.submit(player_id, submitted, done):
            self._answer(submission, pb.SubmissionResult(repeated=pb.Repeated()))

    def _refuse(self, submission: pb.Submission, refusal: RefusedError) -> None:
        """Tell the refusal, and ask again where the question is still open."""
        refused = pb.Refused(reason=reason_to_proto(refusal.reason), message=str(refusal))
        self._answer(submission, pb.SubmissionResult(refused=refused))
        self._session.outbox.repeat_decision(submission.table_id)

    def _answer(self, submission: pb.Submission, result: pb.SubmissionResult) -> None:
        """Let a result wait for its reader, and charge it; too much of it ends the session."""
        result.table_id = submission.table_id
        result.turn_id = submission.turn_id
        if not self._results.add(result):
            self._session.end(
                RefusedError(Reason.SLOW_CONSUMER, "too many results wait for readers; reconnect")
            )
        try:
            self._unasked.charge()
        except RefusedError as refusal:
            self._session.end(refusal)
