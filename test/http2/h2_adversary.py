"""Attacks a server of HTTP/2 with the package h2: h2_adversary.py TRICK PORT ADDRESS plain|tls.

Writes `ended` when the server has ended the connection. The trick `ordinary` is none: it writes `right` if all that arrived
keeps to the protocol, which the package checks, and is what was asked for.
"""
import itertools
import socket
import ssl
import sys

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import ConnectionTerminated, DataReceived, ResponseReceived, StreamEnded, StreamReset
from h2.settings import SettingCodes

HEAD = [(':method', 'GET'), (':scheme', 'http'), (':authority', 'localhost')]
SMALL = HEAD + [(':path', '/small.txt')]
LARGE = HEAD + [(':path', '/large.bin')]
REFLECT = [(':method', 'POST')] + HEAD[1:] + [(':path', '/reflect')]
ROUNDS = 100000
PATIENCE = 120


# What a socket raises when the other side has closed the connection.
ENDS = (ConnectionError, ssl.SSLEOFError, ssl.SSLZeroReturnError)


class Ended(Exception):
    pass


def secured(plain):
    """The same connection by TLS, with h2 chosen by ALPN; the certificate is not checked."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(['h2'])
    return context.wrap_socket(plain, server_hostname='localhost')


class Client:
    """A client that sends, and reads what is there."""

    def __init__(self, port, address, is_secured, settings=None):
        self.socket = socket.create_connection(('127.0.0.1', port), source_address=(address, 0))
        self.socket.settimeout(PATIENCE)
        if is_secured:
            self.socket = secured(self.socket)
        # The client may send whatever it wants; what it receives is checked.
        unchecked = H2Configuration(client_side=True, validate_outbound_headers=False, normalize_outbound_headers=False)
        self.h2 = H2Connection(unchecked)
        self.h2.initiate_connection()
        if settings:
            self.h2.update_settings(settings)
        self.flush()

    def flush(self):
        """Sends, reads without waiting, and notes the end."""
        try:
            self.send()
            while True:
                self.take(self.read_at_once())
        except (BlockingIOError, ssl.SSLWantReadError):
            return
        except ENDS:
            raise Ended()

    def read_at_once(self):
        self.socket.settimeout(0)
        try:
            return self.socket.recv(65536)
        finally:
            self.socket.settimeout(PATIENCE)

    def send(self):
        pending = self.h2.data_to_send()
        if pending:
            self.socket.sendall(pending)

    def receive(self):
        """Waits for something, and returns its events."""
        try:
            return self.take(self.socket.recv(65536))
        except ENDS:
            raise Ended()

    def take(self, received):
        if received == b'':
            raise Ended()
        events = self.h2.receive_data(received)
        for event in events:
            if isinstance(event, ConnectionTerminated):
                raise Ended()
        self.send()
        return events

    def await_room(self):
        """Waits until one more stream may be open."""
        while self.h2.open_outbound_streams >= self.h2.remote_settings.max_concurrent_streams:
            self.receive()

    def linger(self):
        while True:
            self.receive()


def resets(client):
    for number in range(1, ROUNDS, 2):
        client.h2.send_headers(number, SMALL, end_stream=True)
        client.h2.reset_stream(number, 8)
        client.flush()


def pings(client):
    for _ in range(ROUNDS):
        client.h2.ping(b'12345678')
        client.flush()


def settings(client):
    for size in range(ROUNDS):
        client.h2.update_settings({SettingCodes.HEADER_TABLE_SIZE: size % 4096})
        client.flush()


def priorities(client):
    for number in range(ROUNDS):
        client.h2.prioritize(2 * (number % 100) + 1, weight=1 + number % 256, depends_on=2 * ((number + 1) % 100) + 1)
        client.flush()


def no_window(client):
    for number in range(1, 100, 2):
        client.h2.send_headers(number, LARGE, end_stream=True)
    client.flush()


def injections(client):
    values = ['y\r\nx: z', 'y\nz', 'y\0z', '\r\n\r\nGET /PATH HTTP/1.1']
    wrong = [SMALL + [('x', value)] for value in values]
    wrong += [HEAD + [(':path', '/PATH HTTP/1.1\r\nx: y')], SMALL + [('X-Upper', 'y')], SMALL + [('connection', 'close')]]
    wrong += [SMALL + [('transfer-encoding', 'chunked')], SMALL + [(':path', '/PATH')], [(':method', 'GET')], HEAD + [(':path', '')]]
    for number, head in zip(range(1, ROUNDS, 2), itertools.cycle(wrong)):
        client.await_room()
        client.h2.send_headers(number, head, end_stream=True)
        client.flush()


def short_bodies(client):
    for number in range(1, ROUNDS, 2):
        client.await_room()
        client.h2.send_headers(number, REFLECT + [('content-length', '9')])
        client.h2.send_data(number, b'short', end_stream=True)
        client.flush()


def ordinary(client):
    """Many requests at once, with bodies, whose answers are larger than the windows."""
    body = bytes(range(256)) * 200
    wanted = {}
    for number in range(1, 60, 2):
        # One of them is large.
        head, expected = (LARGE, bytes(20_000_000)) if number == 3 else [(SMALL, b'small\n'), (REFLECT, body)][number // 2 % 2]
        wanted[number] = {'expected': expected, 'got': bytearray(), 'status': '', 'over': False}
        client.h2.send_headers(number, head, end_stream=head is not REFLECT)
        if head is REFLECT:
            wanted[number]['left'] = body
    client.send()
    while not all(one['over'] for one in wanted.values()):
        for number, one in wanted.items():
            send_some(client, number, one)
        client.send()
        for event in client.receive():
            if isinstance(event, ResponseReceived):
                wanted[event.stream_id]['status'] = dict(event.headers)[b':status']
            elif isinstance(event, DataReceived):
                wanted[event.stream_id]['got'] += event.data
                client.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, StreamEnded):
                wanted[event.stream_id]['over'] = True
            elif isinstance(event, StreamReset):
                raise SystemExit(f'stream {event.stream_id} was reset')
        client.send()
    wrong = [number for number, one in wanted.items() if one['status'] != b'200' or one['got'] != one['expected']]
    print('right' if not wrong else f'wrong: {wrong}')


def send_some(client, number, one):
    """As much of a body as its window admits."""
    left = one.get('left')
    while left:
        count = min(client.h2.local_flow_control_window(number), client.h2.max_outbound_frame_size, len(left))
        if count == 0:
            break
        client.h2.send_data(number, left[:count], end_stream=count == len(left))
        left = left[count:]
    if 'left' in one:
        one['left'] = left


TRICKS = {
    'resets': resets,
    'pings': pings,
    'settings': settings,
    'priorities': priorities,
    'no-window': no_window,
    'injections': injections,
    'short-bodies': short_bodies,
}


def main(name, port, address, is_secured):
    if name == 'ordinary':
        return ordinary(Client(port, address, is_secured))
    try:
        client = Client(port, address, is_secured, {SettingCodes.INITIAL_WINDOW_SIZE: 0} if name == 'no-window' else None)
        TRICKS[name](client)
        client.linger()
    except Ended:
        print('ended')


main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4] == 'tls')
