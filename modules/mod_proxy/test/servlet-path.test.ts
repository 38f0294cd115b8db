import t from 'tap'
import { matchServlet } from '../src/servlet-path.ts'

/** URI, path of ProxyPass, rest of the URI, and the URI as the container reads it; recorded from httpd 2.4.71. */
const ROWS: readonly (readonly [uri: string, path: string, rest: string | null, read?: string])[] = [
  ['/app', '/app', '', '/app'],
  ['/app/', '/app', '/', '/app/'],
  ['/app/x', '/app', '/x', '/app/x'],
  ['/appx', '/app', null],
  ['/ap', '/app', null],
  ['/app', '/app/', null],
  ['/app/x', '/app/', 'x', '/app/x'],
  ['/app;a=b', '/app', '', '/app'],
  ['/app;a=b/x', '/app', ';a=b/x', '/app/x'],
  ['/app;a=b/x', '/app/', 'x', '/app/x'],
  ['/app;a=b/', '/app', '/', '/app/'],
  ['/app/x;c=d/y', '/app', '/x;c=d/y', '/app/x/y'],
  ['/app/a/..;b/c', '/app', '/c', '/app/c'],
  ['/app/a/..;b/c', '/app/a', null],
  ['/x/..;/app/y', '/app', '/y', '/app/y'],
  ['/x/..;/..;/app', '/app', null],
  ['/app/.;p/x', '/app', '/.;p/x', '/app/x'],
  ['/;p/app/x', '/app', '/x', '/app/x'],
  ['/app//x', '/app', '/x', '/app/x'],
  ['/a/b;p/c', '/a/b', ';p/c', '/a/b/c'],
  ['/;p', '/', '', '/'],
]

t.test('a URI matches as servlet containers read it, and the rest of it keeps its parameters', async (t) => {
  for (const [uri, path, rest, read] of ROWS) {
    const match = matchServlet(uri, path)
    t.equal(match === null ? null : uri.slice(match.length), rest, `${uri} ${path}`)
    if (read !== undefined) t.equal(match?.uri, read, `${uri} ${path} as read`)
  }
})
