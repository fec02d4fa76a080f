"""The scripted server says what did not go as written."""

import pytest

from skat_client import AsyncClient, Bid, DecisionAsked, Pass, ServerError
from skat_client.testing import (
    ExpectHello,
    ExpectSubmission,
    ExpectWatch,
    ScriptedServer,
    ScriptError,
    SendFrames,
    Step,
    bidding_decision,
    new_frame,
    new_view,
    passed_deal,
)

pytestmark = pytest.mark.asyncio

QUESTION = SendFrames(new_frame("t", view=new_view("t"), decision=bidding_decision("1", [18])))


async def play(*steps: Step) -> None:
    """Pass whatever is asked, against a script."""
    async with ScriptedServer() as server:
        server.play(*steps)
        async with AsyncClient(server.address) as client, client.open_session() as session:
            async for item in session:
                if isinstance(item, DecisionAsked):
                    session.submit(item.decision, Pass())
                    await session.flush()
                    if len(steps) == 3:
                        return


async def test_a_script_that_is_followed_is_silent() -> None:
    await play(ExpectHello(), QUESTION, ExpectSubmission("t", "1", Pass()))


async def test_another_answer_is_told() -> None:
    with pytest.raises(ServerError, match=r"expected .*Bid\(value=18\).* got .*Pass\(\)"):
        await play(ExpectHello(), QUESTION, ExpectSubmission("t", "1", Bid(18)), QUESTION)


async def test_other_positions_are_told() -> None:
    with pytest.raises(ServerError, match="expected positions"):
        await play(ExpectHello(positions={"t": 3}))


async def test_a_script_that_was_not_played_is_told() -> None:
    with pytest.raises(ScriptError, match="1 scripts were not played"):
        async with ScriptedServer() as server:
            server.play(ExpectHello())


async def leave_early(server: ScriptedServer) -> None:
    async with server, AsyncClient(server.address) as client, client.open_session() as session:
        await anext(session)


async def test_a_client_that_leaves_early_is_told() -> None:
    server = ScriptedServer()
    server.play(*passed_deal("t"))
    with pytest.raises(ScriptError, match="but the client closed the stream"):
        await leave_early(server)


async def test_a_stream_without_a_script_is_told() -> None:
    with pytest.raises(ServerError, match="no script") as caught:
        async with ScriptedServer() as server, AsyncClient(server.address) as client:
            await anext(client.open_session())
    assert caught.value.__notes__ == ["scripted server: a stream for which there is no script"]


async def test_a_step_of_the_other_stream_is_told() -> None:
    with pytest.raises(ServerError, match="no step of a Play stream"):
        await play(ExpectWatch())


async def fail_in(server: ScriptedServer) -> None:
    async with server:
        raise RuntimeError("the test failed first")


async def test_what_went_wrong_is_added_to_the_error_of_the_test() -> None:
    server = ScriptedServer()
    server.play(ExpectHello())
    with pytest.raises(RuntimeError) as caught:
        await fail_in(server)
    assert caught.value.__notes__ == ["scripted server: 1 scripts were not played"]
