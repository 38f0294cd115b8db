/**
 * The third part of the runner, in Python: one request to an application, PEP 3333. frames.ts describes what is sent between
 * the server and a process.
 */
export const REQUEST_SOURCE: string = String.raw`
LONGEST_HEAD = 16 * 1024 * 1024
BROKEN_BODY = 0xffffffff

class Gone(Exception):
    """The server does not read the response any more."""

class LineLog:
    """Passes on whole lines, and what is left at a flush."""
    def __init__(self, write_line):
        self.write_line, self.rest = write_line, ''
    def write(self, text):
        if not isinstance(text, str):
            raise TypeError('write() argument must be str, not %s' % type(text).__name__)
        *lines, self.rest = (self.rest + text).split('\n')
        for line in lines:
            self.write_line(line)
        while len(self.rest) > 8192:
            self.write_line(self.rest[:8192])
            self.rest = self.rest[8192:]
        return len(text)
    def writelines(self, lines):
        for line in lines:
            self.write(line)
    def flush(self):
        if self.rest:
            self.write_line(self.rest)
            self.rest = ''
    def close(self):
        pass
    encoding, errors, closed = 'utf-8', 'backslashreplace', False

class Input:
    """wsgi.input: the body of the request, read from the server when the application asks for it."""
    __module__ = 'mod_wsgi'
    def __init__(self, request):
        self._request, self._data, self._left, self._ended = request, b'', 0, False

    def _more(self, most):
        """Reads at most so many bytes, or nothing at the end."""
        while self._left == 0:
            if self._ended:
                return b''
            length = self._request.receive(4)
            self._left = struct.unpack('>I', length)[0] if len(length) == 4 else BROKEN_BODY
            if self._left == BROKEN_BODY:
                self._left, self._ended = 0, True
                raise OSError('Apache/mod_wsgi request data read error: Partial results are valid but processing is incomplete.')
            self._ended = self._left == 0
        data = self._request.receive_some(min(most, self._left))
        if not data:
            self._left, self._ended = 0, True
            raise OSError('Apache/mod_wsgi request data read error: Connection reset by peer.')
        self._left -= len(data)
        return data

    def read(self, size=-1):
        if size is None or size < 0:
            parts = [self._data]
            self._data = b''
            while True:
                part = self._more(1 << 20)
                if not part:
                    return b''.join(parts)
                parts.append(part)
        parts, wanted = [self._data[:size]], size - len(self._data)
        self._data = self._data[size:]
        while wanted > 0:
            part = self._more(min(wanted, 1 << 20))
            if not part:
                break
            parts.append(part)
            wanted -= len(part)
        return b''.join(parts)

    def readline(self, size=-1):
        parts, length = [], 0
        while size is None or size < 0 or length < size:
            if not self._data:
                self._data = self._more(65536)
                if not self._data:
                    break
            stop = self._data.find(b'\n') + 1 or len(self._data)
            if size is not None and size >= 0:
                stop = min(stop, size - length)
            parts.append(self._data[:stop])
            length += stop
            self._data = self._data[stop:]
            if parts[-1].endswith(b'\n'):
                break
        return b''.join(parts)

    def readlines(self, hint=-1):
        lines, total = [], 0
        for line in self:
            lines.append(line)
            total += len(line)
            if hint is not None and 0 < hint <= total:
                break
        return lines

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def close(self):
        pass

class FileWrapper:
    """wsgi.file_wrapper."""
    __module__ = 'mod_wsgi'
    def __init__(self, filelike, blksize=8192):
        self.filelike, self.blksize = filelike, blksize
        if hasattr(filelike, 'close'):
            self.close = filelike.close
    def __iter__(self):
        return self
    def __next__(self):
        data = self.filelike.read(self.blksize)
        if not data:
            raise StopIteration
        return data
    def length(self):
        """What is left of a regular file, in bytes; None for anything else."""
        try:
            details = os.fstat(self.filelike.fileno())
            return details.st_size - self.filelike.seek(0, os.SEEK_CUR) if stat.S_ISREG(details.st_mode) else None
        except (AttributeError, OSError, ValueError):
            return None

def latin(value):
    if not isinstance(value, str):
        raise TypeError('expected unicode object, value of type %s found' % type(value).__name__)
    try:
        return value.encode('latin-1')
    except UnicodeEncodeError:
        raise ValueError('unicode object contains non latin-1 characters') from None

def check_status(status):
    text = latin(status)
    if len(text) < 3 or not text[:3].isdigit() or text[3:4].isdigit():
        raise ValueError('status code is not a 3 digit integer')
    if text[3:4] != b' ':
        raise ValueError('no space following status code')
    if len(text) == 4:
        raise ValueError('no reason phrase supplied')
    if any(byte < 32 or byte == 127 for byte in text):
        raise ValueError('control character present in reason phrase')
    return text

def check_headers(headers):
    if not isinstance(headers, list):
        raise TypeError('start_response() argument 2 must be list, not %s' % type(headers).__name__)
    checked = []
    for header in headers:
        if not isinstance(header, tuple):
            raise TypeError('list of tuple values expected for headers, value of type %s found' % type(header).__name__)
        if len(header) != 2:
            raise ValueError('tuple of length 2 expected for header, length is %d' % len(header))
        name, value = latin(header[0]), latin(header[1])
        if not name:
            raise ValueError('header name is empty')
        for byte in name:
            if byte == 32:
                raise ValueError('space character present in header name')
            if byte == 58:
                raise ValueError('colon present in header name')
            if byte < 32 or byte == 127:
                raise ValueError('control character present in header name')
        if b'\r' in value or b'\n' in value:
            raise ValueError('carriage return/line feed character present in header value')
        if b'\0' in value:
            raise ValueError('embedded null byte')
        checked.append((name, value))
    return checked

class Request:
    def __init__(self, process, connection, number, served):
        self.process, self.connection, self.number, self.served = process, connection, number, served
        self.thread, self.began, self.moved = threading.get_ident(), time.monotonic(), time.monotonic()
        self.head, self.head_sent, self.left = None, False, None
        self.ignores_activity, self.accepted = False, time.time()
        self.errors = LineLog(lambda line: self.log('error', line))

    def receive_some(self, most):
        self.move()
        return self.connection.recv(most)

    def receive(self, length):
        data = b''
        while len(data) < length:
            part = self.receive_some(length - len(data))
            if not part:
                break
            data += part
        return data

    def move(self):
        if not self.ignores_activity:
            self.moved = time.monotonic()

    def send(self, kind, data):
        self.move()
        try:
            start = kind + struct.pack('>I', len(data))
            if len(data) < 65536:
                return self.connection.sendall(start + data)
            self.connection.sendall(start)
            self.connection.sendall(data)
        except OSError:
            raise Gone from None

    def log(self, level, text):
        try:
            self.send(b'L', level.encode('ascii') + b'\n' + text.encode('utf-8', 'backslashreplace'))
        except Gone:
            self.process.log(level, text)

    def handle(self):
        """Returns 1 if the application was asked."""
        variables = self.read_head()
        if variables is None:
            return 0
        process, script = self.process, native(variables['SCRIPT_FILENAME'])
        self.ignores_activity = variables['mod_wsgi.ignore_activity'] == '1'
        reloads = variables['mod_wsgi.script_reloading'] == '1'
        waited = process.config['queue-timeout']
        try:
            if waited > 0 and time.time() - int(variables.get('mod_wsgi.queue_start', '0')) / 1e6 > waited:
                self.send(b'T', b'')
                return 0
            if reloads and process.group != '' and process.is_stale(script):
                process.retire('Shutdown requested', 'graceful-timeout')
                self.send(b'R', b'')
                return 0
            self.send(b'A', b'')
        except Gone:
            return 0
        process.local.request = self
        total = process.count()
        try:
            self.answer(variables, script, reloads, total)
        except Gone:
            self.errors.flush()
        return 1

    def read_head(self):
        length = self.receive(4)
        if len(length) < 4:
            return None
        length = struct.unpack('>I', length)[0]
        if length > LONGEST_HEAD:
            return None
        data, words, at = self.receive(length), [], 0
        if len(data) < length:
            return None
        while at < length:
            size = struct.unpack_from('>I', data, at)[0]
            words.append(data[at + 4:at + 4 + size].decode('latin-1'))
            at += 4 + size
        return dict(zip(words[::2], words[1::2]))

    def answer(self, variables, script, reloads, total):
        process = self.process
        try:
            module = process.module_of(script, reloads, self)
            callable_name = variables['mod_wsgi.callable_object']
            application = getattr(module, callable_name, None)
            if application is None:
                self.log('error', "mod_wsgi (pid=%d): Target WSGI script '%s' does not contain WSGI application '%s'."
                         % (os.getpid(), script, callable_name))
                return self.send(b'X', b'')
            environ = dict(variables)
            environ.update({
                'wsgi.version': (1, 0),
                'wsgi.url_scheme': environ['mod_wsgi.url_scheme'],
                'wsgi.errors': self.errors,
                'wsgi.input': Input(self),
                'wsgi.input_terminated': True,
                'wsgi.file_wrapper': FileWrapper,
                'wsgi.multithread': process.config['threads'] > 1,
                'wsgi.multiprocess': process.config['multiprocess'],
                'wsgi.run_once': False,
                'apache.version': tuple(int(part) for part in environ['apache.version'].split('.')),
                'mod_wsgi.version': (4, 9, 4),
                'mod_wsgi.script_start': str(int(time.time() * 1e6)),
                'mod_wsgi.thread_id': self.number,
                'mod_wsgi.thread_requests': self.served,
                'mod_wsgi.total_requests': total,
            })
            del environ['mod_wsgi.url_scheme']
            if process.group != '':
                environ['mod_wsgi.daemon_start'] = str(int(self.accepted * 1e6))
            self.run(application, environ)
        except Gone:
            raise
        except SystemExit as error:
            self.failed("mod_wsgi (pid=%d): SystemExit exception raised by WSGI script '%s' ignored." % (os.getpid(), script), error)
        except BaseException as error:
            self.failed("mod_wsgi (pid=%d): Exception occurred processing WSGI script '%s'." % (os.getpid(), script), error)

    def failed(self, text, error):
        self.errors.flush()
        self.log('error', text)
        for line in lines_of(error):
            self.log('error', line)
        self.send(b'X', b'')

    def run(self, application, environ):
        result = application(environ, self.start_response)
        try:
            if isinstance(result, FileWrapper) and self.head is not None and not self.head_sent:
                self.take_length(result.length())
            for data in result:
                if not isinstance(data, bytes):
                    raise TypeError('sequence of byte string values expected, value of type %s found' % type(data).__name__)
                # An application must not iterate on for a client that has all of the announced length.
                if data and self.left == 0:
                    break
                self.output(data)
            self.output(b'', True)
        finally:
            close = getattr(result, 'close', None)
            if close is not None:
                close()
        self.errors.flush()
        self.send(b'E', b'')

    def take_length(self, length):
        if length is not None and self.head[0][:3] == b'200' and not any(name.lower() == b'content-length' for name, _ in self.head[1]):
            self.head[1].append((b'Content-Length', b'%d' % length))

    def start_response(self, status, response_headers, exc_info=None, /):
        try:
            if exc_info is not None:
                if self.head_sent:
                    raise exc_info[1].with_traceback(exc_info[2])
            elif self.head_sent:
                raise RuntimeError('headers have already been sent')
        finally:
            exc_info = None
        self.head = (check_status(status), check_headers(response_headers))
        return self.write

    def write(self, data, /):
        if not isinstance(data, bytes):
            raise TypeError('byte string value expected, value of type %s found' % type(data).__name__)
        self.output(data)

    def output(self, data, is_last=False):
        if self.head is None:
            raise RuntimeError('response has not been started')
        if not self.head_sent and (data or is_last):
            status, headers = self.head
            for name, value in headers:
                if name.lower() == b'content-length':
                    if not value.isdigit():
                        raise ValueError('invalid content length')
                    self.left = int(value)
            words = [status]
            for name, value in headers:
                words += [name, value]
            self.head_sent = True
            self.send(b'H', b''.join(struct.pack('>I', len(word)) + word for word in words))
        if self.left is not None:
            data = data[:self.left]
            self.left -= len(data)
        if data:
            self.send(b'D', data)
`
