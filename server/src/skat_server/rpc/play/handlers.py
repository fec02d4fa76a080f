"""How `PlayService` is joined to a server: what its stream sends is bytes already (ADR 0030)."""

from __future__ import annotations

from typing import Final

import grpc

from skat.v1 import play_service_pb2 as pb
from skat_server.rpc.convert.parts import written
from skat_server.rpc.handlers import add_handlers
from skat_server.rpc.play.servicer import PlayServicer

_SERVICE: Final = pb.DESCRIPTOR.services_by_name["PlayService"].full_name


def add_play_service(servicer: PlayServicer, server: grpc.aio.Server) -> None:
    """Add what the generated code would add, but the stream's responses are written already."""
    add_handlers(
        server,
        _SERVICE,
        {
            "Play": grpc.stream_stream_rpc_method_handler(
                servicer.Play,
                request_deserializer=pb.PlayRequest.FromString,
                response_serializer=written,
            ),
            "PollDecisions": grpc.unary_unary_rpc_method_handler(
                servicer.PollDecisions,
                request_deserializer=pb.PollDecisionsRequest.FromString,
                response_serializer=pb.PollDecisionsResponse.SerializeToString,
            ),
            "SubmitAction": grpc.unary_unary_rpc_method_handler(
                servicer.SubmitAction,
                request_deserializer=pb.SubmitActionRequest.FromString,
                response_serializer=pb.SubmitActionResponse.SerializeToString,
            ),
        },
    )
