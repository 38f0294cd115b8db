/**
 * An application that shows what it was given: its environ, sorted, with what differs for every request left out, and its body.
 * The part of the path after `/as-` says how it answers.
 */
export const ENVIRON_APPLICATION = `
import hashlib
NOT_COMPARED = {
    'REMOTE_PORT', 'SERVER_SOFTWARE', 'SERVER_ADDR', 'REMOTE_ADDR', 'apache.version', 'mod_wsgi.daemon_start', 'mod_wsgi.listener_host',
    'mod_wsgi.queue_start', 'mod_wsgi.request_id', 'mod_wsgi.request_start', 'mod_wsgi.script_start', 'mod_wsgi.thread_id',
    'mod_wsgi.thread_requests', 'mod_wsgi.total_requests', 'mod_wsgi.daemon_connects', 'mod_wsgi.daemon_restarts',
    'wsgi.errors', 'wsgi.file_wrapper', 'wsgi.input',
}

def shown(environ):
    return '\\n'.join('%s=%r' % (key, environ[key]) for key in sorted(environ) if key not in NOT_COMPARED)

def application(environ, start_response):
    way = environ['PATH_INFO'].rpartition('/as-')[2] if '/as-' in environ['PATH_INFO'] else ''
    body = environ['wsgi.input'].read() if way != 'lines' else b'|'.join(environ['wsgi.input'])
    names = ' '.join(sorted(key for key in environ if key.startswith(('mod_wsgi.', 'wsgi.', 'apache.'))))
    text = '%s\\n%s\\n%d %s' % (shown(environ), names, len(body), hashlib.sha256(body).hexdigest())
    data = text.encode('latin-1')
    headers = [('Content-Type', 'text/plain'), ('X-One', 'a'), ('X-One', 'b'), ('Set-Cookie', 'a=1'), ('Set-Cookie', 'b=2')]
    if way == 'length':
        headers.append(('Content-Length', str(len(data))))
    elif way == 'missing':
        start_response('404 Nothing Here', headers)
        return [data]
    elif way == 'moved':
        start_response('302 Found', headers + [('Location', '/elsewhere?x=1')])
        return []
    elif way == 'tagged':
        headers += [('ETag', '"t"'), ('Last-Modified', 'Tue, 01 Jan 2019 00:00:00 GMT')]
    elif way == 'raise':
        raise ValueError('raised')
    elif way == 'status':
        start_response('200', headers)
    elif way == 'written':
        write = start_response('200 OK', headers)
        write(data[:10])
        return [b'', data[10:]]
    elif way == 'file':
        start_response('200 OK', headers)
        return environ['wsgi.file_wrapper'](open(__file__, 'rb'))
    start_response('200 OK', headers)
    return [data]
`
