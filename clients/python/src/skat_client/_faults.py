"""What of a bot's failures is the bot's fault."""

import asyncio
from typing import Final

FAULTS: Final = (Exception, asyncio.CancelledError)
"""What a bot may raise and be blamed for, once `let_cancel` has let it pass."""


def let_cancel(error: BaseException) -> None:
    """Raise it again if it ends the running task; return if a bot merely raised it.

    A bot that awaits what somebody else has cancelled raises the same error as one that is
    cancelled itself. A task group takes either for a cancelled task, and says nothing.
    """
    if isinstance(error, asyncio.CancelledError) and _is_being_cancelled():
        raise error


def _is_being_cancelled() -> bool:
    try:
        task = asyncio.current_task()
    except RuntimeError:  # no loop is running, as in the arena
        return False
    return task is not None and task.cancelling() > 0
