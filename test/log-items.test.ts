import { spawnSync } from 'node:child_process'
import { utimesSync } from 'node:fs'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { ITEMS } from './log-items/formats.ts'
import { REQUESTS, SLOW_REQUESTS } from './log-items/requests.ts'

const skip = spawnSync('apache2', ['-v']).status === 0 ? false : 'needs apache2'

const DEBIAN_MODULES = '/usr/lib/apache2/modules'
const MODULE_NAMES = [
  ...[
    'authz_core',
    'authn_core',
    'authn_file',
    'authz_user',
    'auth_basic',
    'dir',
    'mime',
    'alias',
    'env',
    'headers',
    'reqtimeout',
  ],
]
const SEPARATOR = ' | '
const OLD = new Date('2024-01-02T03:04:05Z')
const FILES = { 'f.txt': 'hello\n', 'empty.txt': '', 'd/index.html': 'index', 'p/f.txt': 'p', 'deny/f.txt': 'x' }

/** Built-in pages have our own wording, whose length would differ. */
const PAGES = [301, 302, 400, 401, 403, 405, 408, 412, 414, 416, 417, 501].map((status) => `ErrorDocument ${status} "refused"`)

const CONFIGURATION = [
  `LogFormat "%{remote}p${SEPARATOR}${ITEMS.join(SEPARATOR)}" items`,
  'CustomLog logs/items_log items',
  'TypesConfig conf/mime.types',
  'AddType text/plain;charset=x txt',
  'SetEnv A value',
  'Header set X-Set set',
  'Header always set X-Always always',
  'Header always add Set-Cookie a=1',
  'Header always add Set-Cookie b=2',
  'Redirect /redir http://other.test/',
  'ErrorDocument 404 /f.txt',
  ...PAGES,
  'KeepAliveTimeout 2',
  'RequestReadTimeout header=1 body=1',
  '<Directory "@ROOT@/htdocs">',
  'Require all granted',
  '</Directory>',
  '<Directory "@ROOT@/htdocs/deny">',
  'Require all denied',
  '</Directory>',
  '<Directory "@ROOT@/htdocs/p">',
  'AuthType Basic',
  'AuthName p',
  'AuthUserFile "@ROOT@/conf/users"',
  'Require valid-user',
  '</Directory>',
]

/**
 * Known differences: a rejected target does not name a host here, and the connection after a truncated body is closed
 * without a length.
 */
const DIFFERENT: Readonly<Record<string, readonly string[]>> = {
  'a name and password in the target': ['%V'],
  'a body that is too short': ['%{Content-Length}o'],
}

t.test('each item has the value that httpd logs, for every request', { skip }, async (t) => {
  const [theirs, ours] = await Promise.all([
    logged(
      t,
      'apache2',
      DEBIAN_MODULES,
      ['LoadModule mpm_event_module', `${DEBIAN_MODULES}/mod_mpm_event.so`].join(' '),
      'DefaultRuntimeDir @ROOT@/logs',
    ),
    logged(t, undefined, MODULES),
  ])
  t.ok(theirs.size > 60, `${theirs.size} requests are logged`)
  for (const [request, lines] of theirs)
    t.strictSame(without(ours.get(request) ?? [], DIFFERENT[request]), without(lines, DIFFERENT[request]), request)
})

function without(lines: readonly Record<string, string>[], items: readonly string[] = []): Record<string, string>[] {
  return lines.map((line) => Object.fromEntries(Object.entries(line).filter(([item]) => !items.includes(item))))
}

/** Values of all items by request; requests that are not logged are not there. */
async function logged(
  t: Test,
  program: string | undefined,
  modules: string,
  ...lines: readonly string[]
): Promise<Map<string, Record<string, string>[]>> {
  const server = await StagedServer.make(t, program)
  for (const [name, content] of Object.entries(FILES)) utimesSync(server.file(`htdocs/${name}`, content), OLD, OLD)
  server.file('conf/users', 'shau:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n')
  server.file('conf/mime.types', 'text/html html\n')
  server.configure(
    ...lines,
    ...MODULE_NAMES.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`),
    ...CONFIGURATION,
  )
  await server.start()
  const names = new Map<string, string>()
  const ask = async (name: string, text: string, end: 'closes' | 'waits'): Promise<void> => {
    names.set(String(await asked(server.port, text, end)), name)
  }
  await Promise.all([
    ...Object.entries(REQUESTS).map(([name, text]) => ask(name, text, 'closes')),
    ...Object.entries(SLOW_REQUESTS).map(([name, text]) => ask(name, text, 'waits')),
  ])
  await server.stop()
  const byRequest = new Map<string, Record<string, string>[]>()
  for (const line of server
    .read('logs/items_log')
    .replaceAll(server.root, '@ROOT@')
    .replaceAll(`:${server.port}`, ':PORT')
    .split('\n')
    .slice(0, -1)) {
    const [port, ...values] = line.split(SEPARATOR)
    const name = names.get(port) ?? 'nobody'
    byRequest.set(name, [...(byRequest.get(name) ?? []), Object.fromEntries(ITEMS.map((item, index) => [item, values[index]]))])
  }
  return byRequest
}

/** Sends bytes, and reads until the server has closed. @returns the client's port */
function asked(port: number, text: string, end: 'closes' | 'waits'): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
    let own = 0
    socket.on('connect', () => {
      own = socket.localPort ?? 0
      socket.write(Buffer.from(text, 'latin1'))
      if (end === 'closes') socket.end()
    })
    socket.resume()
    socket.on('end', () => socket.end())
    // A server may reset a connection after a rejection.
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(own))
  })
}
