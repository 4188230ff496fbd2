"""uvicorn's HTTP protocol with the limits that no application can set: that sees a request when its head is whole."""

from __future__ import annotations

import asyncio
import socket

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 15.0
"""Longest wait for the head of a request, from the connection or the first byte on."""

CONNECTIONS, CONNECTIONS_EACH = 512, 128
"""Most connections in all, and of one address; a browser opens six, and a system lets a process open a thousand."""

UNANSWERED_MS = 30_000
"""A connection whose other end says nothing to what was sent to it is given up: a phone that left the room would else
count as there for a quarter of an hour."""


class CarefulProtocol(H11Protocol):
    """For ``uvicorn.Config(http=CarefulProtocol)``."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        clients = [one.client and one.client[0] for one in self.connections if isinstance(one, CarefulProtocol)]
        if len(clients) > CONNECTIONS or (self.client and clients.count(self.client[0]) > CONNECTIONS_EACH):
            transport.abort()
            return
        sock = transport.get_extra_info("socket")
        if sock is not None and hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux, RFC 5482
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNANSWERED_MS)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._waiting is None and self.conn.trailing_data[0]:
            self._wait()  # the head of a further request has begun

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
