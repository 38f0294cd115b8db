import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { freePort } from './fixtures/free-port.ts'

const DIST = join(import.meta.dirname, '../dist')
const STOCK = '/etc/apache2'
const skip =
  existsSync(join(STOCK, 'envvars')) &&
  existsSync('/var/www/html/index.html') &&
  spawnSync('sh', ['-c', 'command -v apache2']).status === 0
    ? false
    : 'needs the apache2 package of Debian'

/**
 * Debian's configuration without changes, except for its port and for modules that this server does not
 * provide.
 */
class StockTree {
  readonly root: string
  readonly left: readonly string[]
  readonly #port: number

  constructor(t: Test, port: number) {
    this.#port = port
    this.root = mkdtempSync(join(tmpdir(), 'debian-'))
    t.teardown(() => rmSync(this.root, { recursive: true, force: true }))
    chmodSync(this.root, 0o755)
    cpSync(STOCK, join(this.root, 'etc'), { recursive: true, verbatimSymlinks: true })
    for (const folder of ['run', 'log']) mkdirSync(join(this.root, folder))
    this.#replace('ports.conf', /^Listen 80$/m, `Listen 127.0.0.1:${port}`)
    this.#replace('sites-available/000-default.conf', '<VirtualHost *:80>', `<VirtualHost *:${port}>`)
    this.left = this.#leaveOutMissing()
  }

  #replace(file: string, what: string | RegExp, by: string): void {
    const path = join(this.root, 'etc', file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(what, by))
  }

  #leaveOutMissing(): string[] {
    const enabled = join(this.root, 'etc/mods-enabled')
    const names = readdirSync(enabled)
      .filter((file) => file.endsWith('.load'))
      .map((file) => basename(file, '.load'))
    const missing = names.filter((name) => !name.startsWith('mpm_') && !existsSync(join(DIST, `modules/mod_${name}.mjs`)))
    for (const name of missing) for (const end of ['load', 'conf']) rmSync(join(enabled, `${name}.${end}`), { force: true })
    return missing
  }

  /** The names that a2enmod knows. */
  get available(): string[] {
    return readdirSync(join(this.root, 'etc/mods-available'))
      .filter((file) => file.endsWith('.load'))
      .map((file) => basename(file, '.load'))
  }

  disable(module: string): void {
    for (const end of ['load', 'conf']) rmSync(join(this.root, `etc/mods-enabled/${module}.${end}`), { force: true })
  }

  enable(module: string): void {
    for (const end of ['load', 'conf']) {
      const file = join(this.root, `etc/mods-available/${module}.${end}`)
      if (existsSync(file)) cpSync(file, join(this.root, `etc/mods-enabled/${module}.${end}`))
    }
  }

  /** A program with its arguments in Debian's environment, with the folders of this tree. */
  command(program: string, ...words: string[]): string[] {
    const own = `APACHE_PID_FILE=${this.root}/run/pid APACHE_RUN_DIR=${this.root}/run APACHE_LOCK_DIR=${this.root}/run APACHE_LOG_DIR=${this.root}/log`
    return [
      '-c',
      `. ${this.root}/etc/envvars; export ${own}; exec "$@"`,
      'sh',
      program,
      '-d',
      join(this.root, 'etc'),
      '-f',
      'apache2.conf',
      ...words,
    ]
  }

  run(program: string, ...words: string[]): { status: number | null; stdout: string; stderr: string } {
    return spawnSync('sh', this.command(program, ...words), { encoding: 'utf8' })
  }

  async start(t: Test, program: string): Promise<ChildProcess> {
    const child = spawn('sh', this.command(program, '-D', 'FOREGROUND'), { stdio: 'ignore' })
    t.teardown(async () => {
      if (child.exitCode !== null || !child.kill()) return
      await once(child, 'exit')
    })
    for (let attempt = 0; attempt < 2400 && child.exitCode === null; attempt++) {
      if ((await ask(this.#port, 'GET / HTTP/1.0\r\n\r\n').catch(() => null)) !== null) return child
      await pause(25)
    }
    throw new Error(`${program} does not answer: ${readFileSync(join(this.root, 'log/error.log'), 'utf8')}`)
  }

  ask(request: string): Promise<Answer> {
    return ask(this.#port, request)
  }
}

interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
}

async function ask(port: number, request: string): Promise<Answer> {
  const socket = net.connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.end(request)
  await once(socket, 'close')
  const [head] = Buffer.concat(chunks).toString('latin1').split('\r\n\r\n')
  const [first, ...fields] = head.split('\r\n')
  const pairs = fields.map((field): [string, string] => [
    field.slice(0, field.indexOf(':')).toLowerCase(),
    field.slice(field.indexOf(':') + 2),
  ])
  return { status: Number(first.split(' ')[1]), headers: new Map(pairs) }
}

const GZIP = 'Accept-Encoding: gzip'
const VALIDATOR = 'If-None-Match: @ETAG@'

/** A request's line, and its fields. */
const REQUESTS: readonly (readonly [line: string, ...fields: string[]])[] = [
  ['GET /'],
  ['GET /index.html'],
  ['GET /', GZIP],
  ['HEAD /', GZIP],
  ['GET /', 'Range: bytes=0-9'],
  ['GET /', 'Range: bytes=-5'],
  ['GET /', 'Range: bytes=0-3,10-13'],
  ['GET /', 'Range: bytes=99999-'],
  ['GET /', 'Range: bytes=abc'],
  ['GET /', 'Range: bytes=0-9', 'If-Range: "nope"'],
  ['GET /', 'Range: bytes=0-9', GZIP],
  ['GET /', VALIDATOR],
  ['GET /', GZIP, 'If-None-Match: @GZIP-ETAG@'],
  ['GET /', 'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT'],
  ['GET /', 'If-Match: "x"'],
  ['POST /', 'Content-Length: 0'],
  ['OPTIONS /'],
  ['DELETE /'],
  ['TRACE /'],
  ['GET /nosuch'],
  ['GET /nosuch', GZIP],
  ['GET /manual/foo'],
  ['GET /icons/'],
  ['GET /icons'],
  ['GET /icons/a.gif'],
  ['GET /icons/a.gif', GZIP],
  ['GET /server-status'],
  ['GET /server-status?auto'],
  ['GET /server-status/x'],
  ['GET /.htaccess'],
  ['GET /.htfoo'],
  ['GET /x/.htaccess'],
  ['GET /index.html/x'],
  ['GET /index.html/'],
  ['GET /index'],
  ['GET /%2e%2e/x'],
]

const COMPARED = [
  'content-type',
  'last-modified',
  'etag',
  'accept-ranges',
  'content-range',
  'content-encoding',
  'vary',
  'location',
  'connection',
]

/**
 * The properties in which two servers must agree. Error pages name the server, so their length is ignored,
 * and so is the length of compressed text. Boundaries have up to 16 digits.
 */
function comparable({ status, headers }: Answer): Record<string, unknown> {
  const fields = COMPARED.map((name): [string, unknown] => [
    name,
    headers
      .get(name)
      ?.replace(/boundary=.*/, 'boundary')
      ?.replace(/\/\d+$/, headers.has('content-encoding') ? '' : '$&'),
  ])
  const allowed = headers.get('allow')?.split(',').filter(Boolean).sort()
  const isPlain =
    status < 300 && !headers.has('content-encoding') && !/charset=ISO-8859-1|^multipart/.test(headers.get('content-type') ?? '')
  const length = isPlain ? headers.get('content-length') : undefined
  return { status, allowed, length, ...Object.fromEntries(fields) }
}

t.test('the stock configuration of Debian answers as it does with httpd', { skip }, async (t) => {
  const [theirs, ours] = [new StockTree(t, await freePort()), new StockTree(t, await freePort())]
  await Promise.all([theirs.start(t, 'apache2'), ours.start(t, join(DIST, 'bin/httpd'))])
  const etag = (await theirs.ask('GET / HTTP/1.0\r\n\r\n')).headers.get('etag') ?? ''
  for (const [line, ...fields] of REQUESTS) {
    const head = [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...fields].join('\r\n')
    const request = `${head.replace('@ETAG@', etag).replace('@GZIP-ETAG@', etag.replace(/"$/, '-gzip"'))}\r\n\r\n`
    const [expected, found] = await Promise.all([theirs.ask(request), ours.ask(request)])
    t.strictSame(comparable(found), comparable(expected), [line, ...fields].join(', '))
  }
  if (ours.left.length > 0) t.comment(`left out of both, because this server has them not: ${ours.left.join(' ')}`)
})

t.test('the stock configuration is in order, and its modules are those of httpd', { skip }, async (t) => {
  const tree = new StockTree(t, 65_535)
  const check = tree.run(join(DIST, 'bin/httpd'), '-t')
  t.equal(check.status, 0, check.stderr)
  t.match(check.stderr.split('\n').at(-2), 'Syntax OK')
  const modules = (program: string): string[] =>
    tree
      .run(program, '-M')
      .stdout.match(/\w+_module/g)
      ?.sort() ?? []
  t.strictSame(modules(join(DIST, 'bin/httpd')), modules('apache2'))
  const settings = (program: string): string[] =>
    tree
      .run(program, '-S')
      .stdout.split('\n')
      .filter((line) => /^(ServerRoot|Main ErrorLog|PidFile|User|Group|\*)/.test(line))
  t.strictSame(settings(join(DIST, 'bin/httpd')), settings('apache2'))
})

t.test('further modules are loaded, and one that is not there is refused by its name', { skip }, async (t) => {
  const tree = new StockTree(t, 65_535)
  const httpd = join(DIST, 'bin/httpd')
  for (const name of [
    'headers',
    'expires',
    'rewrite',
    'userdir',
    'info',
    'socache_shmcb',
    'ssl',
    'dbd',
    'authn_dbd',
    'authz_dbd',
  ]) {
    tree.enable(name)
    t.match(tree.run(httpd, '-t'), { status: 0 }, name)
  }
  t.match(tree.run(httpd, '-M').stdout, / headers_module \(shared\)/)
  for (const name of [
    'proxy',
    'proxy_http',
    'proxy_http2',
    'proxy_connect',
    'proxy_wstunnel',
    'proxy_ajp',
    'proxy_scgi',
    'proxy_express',
    'proxy_uwsgi',
    'proxy_fcgi',
    'slotmem_shm',
    'lbmethod_byrequests',
    'proxy_balancer',
    'brotli',
    'buffer',
    'charset_lite',
    'data',
    'ratelimit',
    'reflector',
    'sed',
    'substitute',
    'asis',
    'session',
    'session_cookie',
    'session_crypto',
    'auth_form',
    'actions',
    'cgi',
    'cgid',
    'dav',
    'dav_fs',
    'dav_lock',
    'cern_meta',
    'dialup',
    'dumpio',
    'echo',
    'ident',
    'imagemap',
    'log_debug',
    'log_forensic',
    'mime_magic',
    'slotmem_plain',
    'speling',
    'unique_id',
    'usertrack',
  ]) {
    tree.enable(name)
    t.match(tree.run(httpd, '-t'), { status: 0 }, name)
  }
  tree.enable('lua')
  const refused = tree.run(httpd, '-t')
  t.equal(refused.status, 1)
  t.match(refused.stderr, /mods-enabled\/lua\.load: Cannot load \S+\/mod_lua\.so into server: /)
  t.match(refused.stderr, /^hint: mod_lua is not provided by this server: rules of mod_rewrite/m)
})

t.test(
  'with all modules of Debian enabled, one run names all that are missing, and the server starts without them',
  {
    skip,
  },
  async (t) => {
    const port = await freePort()
    const tree = new StockTree(t, port)
    const httpd = join(DIST, 'bin/httpd')
    for (const name of tree.available) if (!existsSync(join(tree.root, `etc/mods-enabled/${name}.load`))) tree.enable(name)
    const fileOf = (name: string): string =>
      /mod_[\w.]+(?=\.so)/.exec(readFileSync(join(tree.root, `etc/mods-available/${name}.load`), 'utf8'))?.[0] ?? name
    const missing = tree.available.filter(
      (name) => !name.startsWith('mpm_') && !existsSync(join(DIST, `modules/${fileOf(name)}.mjs`)),
    )
    const { status, stderr } = tree.run(httpd, '-t')
    t.equal(status, 1)
    t.ok(missing.includes('lua'))
    for (const name of missing) {
      t.match(stderr, new RegExp(`mods-enabled/${name}\\.load`), name)
      t.match(stderr, new RegExp(`hint: (?:\\S+: )?${fileOf(name)} is not provided by this server: \\w`), name)
      tree.disable(name)
    }
    const check = tree.run(httpd, '-t')
    t.equal(check.status, 0, check.stderr)
    t.match(check.stderr, /Syntax OK/)
    // The file is Debian's, with port 443, which only root may have.
    const ports = join(tree.root, 'etc/ports.conf')
    writeFileSync(ports, readFileSync(ports, 'utf8').replaceAll(/^\s*Listen 443$/gm, `Listen 127.0.0.1:${await freePort()}`))
    await tree.start(t, httpd)
    t.equal((await tree.ask('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).status, 200)
  },
)

t.test('apachectl reads envvars beside the configuration', { skip }, async (t) => {
  const tree = new StockTree(t, 65_535)
  const run = (...words: string[]) =>
    spawnSync(join(DIST, 'bin/apachectl'), words, {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, APACHE_CONFDIR: join(tree.root, 'etc') },
    })
  const envvars = join(tree.root, 'etc/envvars')
  const text = readFileSync(envvars, 'utf8').replace(/\/var\/(run|lock|log)\/apache2/g, `${tree.root}/$1/made`)
  writeFileSync(envvars, text)
  mkdirSync(join(tree.root, 'log/made'))
  const check = run('configtest')
  t.match(check.stderr, /Syntax OK/)
  t.equal(check.status, 0)
  t.ok(existsSync(join(tree.root, 'run/made')), 'the folder of the pid file is made')
  t.equal(run('startssl').status, 2)
})
