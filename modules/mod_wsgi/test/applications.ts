/** Applications for tests: one that shows its environ, and one that does what its path says. */
export const APPLICATIONS = {
  'apps/environ.wsgi': `
def application(environ, start_response):
    lines = ['%s=%r' % (key, environ[key]) for key in sorted(environ) if isinstance(environ[key], (str, bool, tuple, int))]
    lines.append('BODY=%r' % environ['wsgi.input'].read())
    data = '\\n'.join(lines).encode('latin-1')
    start_response('200 OK', [('Content-Type', 'text/plain'), ('Content-Length', str(len(data)))])
    return [data]
`,
  'apps/kinds.wsgi': `
import io, os, signal, sys, time
TEXT = [('Content-Type', 'text/plain')]

class Closed:
    def __init__(self, environ, fails):
        self.environ, self.fails = environ, fails
    def __iter__(self):
        return iter([b'1', b'', b'2'])
    def close(self):
        if self.fails:
            raise ValueError('in close')
        print('was closed', file=self.environ['wsgi.errors'])

def application(environ, start_response):
    kind = environ['PATH_INFO'].strip('/')
    if kind == 'not-started':
        return [b'x']
    if kind == 'raise':
        raise ValueError('boom')
    if kind == 'raise-started':
        start_response('200 OK', TEXT)
        raise ValueError('started')
    if kind == 'raise-later':
        start_response('200 OK', TEXT)
        def parts():
            yield b'first'
            raise ValueError('later')
        return parts()
    if kind == 'replaced':
        start_response('200 OK', TEXT)
        try:
            raise KeyError('a')
        except KeyError:
            start_response('500 Bad', [('Content-Type', 'text/html')], sys.exc_info())
        return [b'error page']
    if kind == 'replaced-too-late':
        start_response('200 OK', TEXT)(b'sent')
        try:
            raise KeyError('a')
        except KeyError:
            start_response('500 Bad', TEXT, sys.exc_info())
        return []
    if kind == 'write':
        write = start_response('200 OK', TEXT)
        write(b'a')
        write(b'b')
        return [b'c']
    if kind == 'late':
        def parts():
            start_response('200 OK', TEXT)
            yield b'x'
        return parts()
    if kind == 'text':
        start_response('200 OK', TEXT)
        return ['text']
    if kind == 'none':
        start_response('200 OK', TEXT)
        return None
    if kind == 'status':
        start_response('OK', TEXT)
    if kind == 'header-line':
        start_response('200 OK', [('A', 'b\\nc: d')])
    if kind == 'header-blank':
        start_response('200 OK', [('A B', 'b')])
    if kind == 'header-number':
        start_response('200 OK', [('A', 5)])
    if kind == 'header-tuple':
        start_response('200 OK', (('A', 'b'),))
    if kind == 'fields':
        start_response('201 Made', TEXT + [('X-A', '1'), ('X-A', '2'), ('Set-Cookie', ' a=1'), ('Set-Cookie', 'b=2'), ('Transfer-Encoding', 'foo')])
        return [b'x']
    if kind == 'long':
        start_response('200 OK', TEXT + [('Content-Length', '3')])
        return [b'123456']
    if kind == 'endless-length':
        start_response('200 OK', TEXT + [('Content-Length', '3')])
        return iter(lambda: b'abc', None)
    if kind == 'no-content':
        start_response('204 No Content', [])
        return []
    if kind == 'location':
        start_response('200 OK', TEXT + [('Location', '/environ/there?q')])
        return []
    if kind == 'challenge':
        start_response('401 Unauthorized', TEXT + [('WWW-Authenticate', 'Basic realm="a"')])
        return [b'mine']
    if kind == 'closed' or kind == 'close-fails':
        start_response('200 OK', TEXT)
        return Closed(environ, kind == 'close-fails')
    if kind == 'file':
        start_response('200 OK', TEXT)
        return environ['wsgi.file_wrapper'](open(__file__, 'rb'), 100)
    if kind == 'file-like':
        start_response('200 OK', TEXT)
        return environ['wsgi.file_wrapper'](io.BytesIO(b'q' * 200000), 100)
    if kind == 'errors':
        errors = environ['wsgi.errors']
        errors.write('one\\ntwo')
        errors.flush()
        print('to stdout')
        print('caf\\xe9', file=sys.stderr)
        errors.write('un')
        start_response('200 OK', TEXT)
        return [b'ok']
    if kind == 'input':
        body = environ['wsgi.input']
        read = [body.read(3), body.readline(), body.readline(2), body.readlines(5), list(body), body.read(), body.read(5)]
        start_response('200 OK', TEXT)
        return [repr(read).encode()]
    if kind == 'sum':
        total = 0
        while True:
            part = environ['wsgi.input'].read(10000)
            if not part:
                break
            total += len(part)
        start_response('200 OK', TEXT)
        return [b'%d' % total]
    if kind == 'exit':
        sys.exit(3)
    if kind == 'die':
        os._exit(3)
    if kind == 'die-later':
        start_response('200 OK', TEXT)(b'part')
        os._exit(3)
    if kind == 'signal':
        signal.signal(signal.SIGTERM, lambda *_: None)
        start_response('200 OK', TEXT)
        return [b'ok']
    if kind == 'endless':
        start_response('200 OK', TEXT)
        return iter(lambda: b'endless ' * 1000, None)
    if kind == 'huge-head':
        start_response('200 OK', [('X', 'y' * 2000000)])
        return [b'ok']
    if kind == 'block':
        time.sleep(1000)
    start_response('200 OK', TEXT)
    return [b'%d' % os.getpid()]
`,
  'apps/syntax.wsgi': 'def application(:\n',
  'apps/fails.wsgi': "raise RuntimeError('at import')\n",
  'apps/empty.wsgi': 'app = 1\n',
} as const

/** The lines of a server with these applications below `/environ`, `/k`, `/syntax`, `/fails` and `/empty`. */
export const APPLICATION_LINES = `
WSGIDaemonProcess d processes=1 threads=3
WSGIScriptAlias /environ @ROOT@/apps/environ.wsgi process-group=d application-group=%{GLOBAL}
WSGIScriptAlias /k @ROOT@/apps/kinds.wsgi process-group=d
WSGIScriptAlias /syntax @ROOT@/apps/syntax.wsgi process-group=d
WSGIScriptAlias /fails @ROOT@/apps/fails.wsgi process-group=d
WSGIScriptAlias /empty @ROOT@/apps/empty.wsgi process-group=d
<Directory @ROOT@/apps>
Require all granted
</Directory>
LogLevel info
`
