"""A client of HTTP/2 that keeps to RFC 9113 section 6.8 when the server leaves.

Reads lines `ID PATH LENGTH` from standard input, asks for each of them, and writes `right ID` or `wrong ID WHY`. Streams
above the last one that GOAWAY names are asked for once more on a new connection.
"""
import os
import selectors
import socket
import sys

from hpack import Decoder, Encoder
from hyperframe.frame import DataFrame, Frame, GoAwayFrame, HeadersFrame, PingFrame, RstStreamFrame, SettingsFrame, WindowUpdateFrame

PREFACE = b'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
WINDOW = 2 ** 31 - 1


def say(*words):
    print(*words, flush=True)


class Connection:
    def __init__(self, port):
        self.socket = socket.create_connection(('127.0.0.1', port))
        self.encoder = Encoder()
        self.decoder = Decoder()
        self.input = b''
        self.next = 1
        self.leaves = False
        self.streams = {}
        settings = SettingsFrame(0, settings={SettingsFrame.INITIAL_WINDOW_SIZE: WINDOW})
        update = WindowUpdateFrame(0, window_increment=WINDOW - 65535)
        self.socket.sendall(PREFACE + settings.serialize() + update.serialize())
        say('connected')

    def ask(self, request):
        number, path, _ = request
        head = [(':method', 'GET'), (':scheme', 'http'), (':authority', 'localhost'), (':path', f'{path}?{number}')]
        frame = HeadersFrame(self.next, data=self.encoder.encode(head), flags=['END_HEADERS', 'END_STREAM'])
        self.streams[self.next] = {'request': request, 'status': '', 'length': 0}
        self.next += 2
        self.socket.sendall(frame.serialize())

    def take(self, refused):
        """Reads what has arrived. Returns False at the end of the connection."""
        try:
            received = self.socket.recv(65536)
        except OSError:
            received = b''
        self.input += received
        while len(self.input) >= 9:
            frame, length = Frame.parse_frame_header(memoryview(self.input)[:9])
            if len(self.input) < 9 + length:
                break
            frame.parse_body(memoryview(self.input[9:9 + length]))
            self.input = self.input[9 + length:]
            self.on(frame, refused)
        return received != b''

    def on(self, frame, refused):
        stream = self.streams.get(frame.stream_id)
        if isinstance(frame, SettingsFrame) and 'ACK' not in frame.flags:
            self.socket.sendall(SettingsFrame(0, flags=['ACK']).serialize())
        elif isinstance(frame, PingFrame) and 'ACK' not in frame.flags:
            self.socket.sendall(PingFrame(0, opaque_data=frame.opaque_data, flags=['ACK']).serialize())
        elif isinstance(frame, GoAwayFrame):
            if not self.leaves:
                say('goaway')
            self.leaves = True
            for number in [one for one in self.streams if one > frame.last_stream_id]:
                refused.append(self.streams.pop(number)['request'])
                say('retried')
        elif isinstance(frame, HeadersFrame):
            fields = dict(self.decoder.decode(frame.data))
            if stream is not None:
                stream['status'] = fields.get(':status', stream['status'])
        elif isinstance(frame, DataFrame) and stream is not None:
            stream['length'] += len(frame.data)
        elif isinstance(frame, RstStreamFrame) and stream is not None:
            del self.streams[frame.stream_id]
            if frame.error_code == 7:
                refused.append(stream['request'])
                say('retried')
            else:
                say('wrong', stream['request'][0], 'RST_STREAM', frame.error_code)
        if stream is not None and 'END_STREAM' in frame.flags:
            del self.streams[frame.stream_id]
            number, _, length = stream['request']
            is_right = stream['status'] == '200' and stream['length'] == int(length)
            say('right' if is_right else 'wrong', number, stream['status'], stream['length'])


def main(port):
    selector = selectors.DefaultSelector()
    os.set_blocking(0, False)
    selector.register(0, selectors.EVENT_READ)
    text = ''
    is_over = False
    waiting = []
    connections = []
    while not is_over or waiting or any(one.streams for one in connections):
        for key, _ in selector.select():
            if key.fd == 0:
                read = os.read(0, 65536).decode()
                text += read
                *lines, text = text.split('\n')
                waiting += [tuple(line.split(' ')) for line in lines]
                if read == '':
                    is_over = True
                    selector.unregister(0)
                continue
            connection = key.data
            if connection.take(waiting):
                continue
            selector.unregister(connection.socket)
            connection.socket.close()
            connections.remove(connection)
            for stream in connection.streams.values():
                say('wrong', stream['request'][0], 'the connection ended')
        while waiting:
            usable = [one for one in connections if not one.leaves]
            if not usable:
                connection = Connection(port)
                connections.append(connection)
                selector.register(connection.socket, selectors.EVENT_READ, connection)
                continue
            request = waiting.pop(0)
            try:
                usable[0].ask(request)
            except OSError:
                # Its end is read next.
                usable[0].leaves = True


main(int(sys.argv[1]))
