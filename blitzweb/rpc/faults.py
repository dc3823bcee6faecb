"""Turns any exception into the error that the host gets: ours as they are, unexpected ones without their traceback.

Ids: WIRE-06.
"""

from __future__ import annotations

from blitzweb.errors import InternalFault, ProtocolError
from blitzweb.rpc.log import Log


def to_protocol_error(error: BaseException, log: Log, doing: str) -> ProtocolError:
    """Return the error to answer with; a fault of ours goes to the log under the id that the answer names."""
    if isinstance(error, ProtocolError):
        return error
    fault_id = log.fault(error, doing)
    return InternalFault(
        f"a fault of blitzweb's own while {doing}",
        advice=f"the log on stderr has the details under {fault_id}",
        log_id=fault_id,
    )
