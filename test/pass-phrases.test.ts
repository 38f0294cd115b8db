/** SSLPassPhraseDialog builtin: what is asked at the terminal of the command that starts the server. */
import { spawn, spawnSync } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import t, { type Test } from 'tap'
import { endByPidFile } from './fixtures/processes.ts'
import { Random } from './fixtures/random.ts'
import { canConnect, MODULES, StagedServer } from './fixtures/staged-server.ts'
import { atTerminal } from './fixtures/terminal-session.ts'
import { until } from './fixtures/until.ts'

t.setTimeout(600_000)

const noTerminal = spawnSync('script', ['--version']).error !== undefined && 'script(1) is not installed'
const noHttpd = noTerminal || (spawnSync('apache2', ['-v']).status !== 0 && 'needs apache2')
const OURS = join(import.meta.dirname, '../dist/bin/httpd')
const HTTPD = 'apache2'
const HTTPD_MODULES = '/usr/lib/apache2/modules'
const PROMPT = 'Enter pass phrase:'
const CTRL_C = '\x03'

/** A protected key, and what is typed when it is asked for; Ctrl-C afterwards. */
interface KeyFile {
  /** Of the fixtures. */
  readonly name: string
  readonly form: 'plain' | 'pkcs8' | 'traditional'
  readonly passPhrase: string
  readonly typed: readonly string[]
}

interface Host {
  readonly name: string
  readonly keys: readonly KeyFile[]
}

const tls = (name: string): string => readFileSync(join(import.meta.dirname, 'conformance/fixtures/tls', name), 'latin1')

/** As Apache httpd shows it. */
const SCREEN = `Apache/2.4.71 mod_ssl (Pass Phrase Dialog)
Some of your private key files are encrypted for security reasons.
In order to read them you have to provide the pass phrases.

Private key c.test:443:0 (@ROOT@/tls/c.test-0.key)
Enter pass phrase:

OK: Pass Phrase Dialog successful.

Private key b.test:443:0 (@ROOT@/tls/b.test-0.key)
Enter pass phrase:
Apache:mod_ssl:Error: Pass phrase incorrect (5 more retries permitted).
Enter pass phrase:
Apache:mod_ssl:Error: Pass phrase empty (needs to be at least 1 character).
Enter pass phrase:

OK: Pass Phrase Dialog successful.
`

t.test(
  'each key that no typed phrase opens is asked for, and then the server serves with them',
  { skip: noTerminal },
  async (t) => {
    const server = await StagedServer.make(t)
    const hosts = [
      host('a.test', { name: 'a', form: 'traditional', passPhrase: 'first', typed: [] }),
      host('b.test', { name: 'b', form: 'pkcs8', passPhrase: 'other', typed: ['wrong\r', '\r', 'othx\x7fer\r'] }),
      host('c.test', { name: 'localhost', form: 'pkcs8', passPhrase: 'first', typed: ['first\r'] }),
    ]
    configure(server, MODULES, hosts)
    const { status, screen } = await start(t, server, OURS, hosts)
    t.equal(screen.replaceAll(server.root, '@ROOT@'), SCREEN)
    t.equal(status, 0)
    for (const { name, keys } of hosts) t.equal(await presented(server, name), fingerprint(keys[0].name), name)
    const secrets = /first|other/
    for (const file of ['logs', '.'].flatMap((folder) => filesIn(server.path(folder)))) {
      if (!file.endsWith('.key')) t.notMatch(readFileSync(file, 'latin1'), secrets, `${file} has no phrase`)
    }
  },
)

t.test(
  'reloads keep the keys, and one whose file has changed is refused when nobody can be asked',
  { skip: noTerminal },
  async (t) => {
    const server = await StagedServer.make(t)
    const hosts = [host('a.test', { name: 'a', form: 'pkcs8', passPhrase: 'secret', typed: ['secret\r'] })]
    configure(server, MODULES, hosts)
    t.equal((await start(t, server, OURS, hosts)).status, 0)
    t.equal((await server.run('-f', server.path('conf/httpd.conf'), '-d', server.root, '-k', 'graceful')).status, 0)
    t.equal(await presented(server, 'a.test'), fingerprint('a'))
    utimesSync(server.path('tls/a.test-0.key'), 1, 1)
    t.equal((await server.run('-f', server.path('conf/httpd.conf'), '-d', server.root, '-k', 'graceful')).status, 1)
    const refusal = /SSLPassPhraseDialog builtin: the command that started .*\n.*AH02578: /
    await until('the refusal is logged', () => refusal.test(server.read('logs/error_log')))
    t.match(server.read('logs/error_log'), refusal)
    t.equal(await presented(server, 'a.test'), fingerprint('a'), 'the former workers still serve')
  },
)

t.test('-t asks for nothing', { skip: noTerminal }, async (t) => {
  const server = await StagedServer.make(t)
  configure(server, MODULES, [host('a.test', { name: 'a', form: 'pkcs8', passPhrase: 'secret', typed: [] })])
  const command = [OURS, '-d', server.root, '-t']
  t.strictSame(await atTerminal(server.root, command, PROMPT, () => CTRL_C), { status: 0, screen: 'Syntax OK\n' })
})

t.test('without a terminal, phrases are read from standard input, and its end fails the start', async (t) => {
  const server = await StagedServer.make(t)
  const hosts = [
    host('a.test', { name: 'a', form: 'pkcs8', passPhrase: 'one', typed: [] }),
    host('b.test', { name: 'b', form: 'pkcs8', passPhrase: 'two', typed: [] }),
  ]
  configure(server, MODULES, hosts)
  t.match(await startWithInput(server, 'two\n'), { status: 1, stdout: /Private key not found\.\n\*\*Stopped\n$/ })
  t.match(server.read('logs/error_log'), /AH02579: Init: Private key not found[\s\S]*AH02564: /)
  stopLater(t, server)
  t.match(await startWithInput(server, 'two\none\n'), { status: 0 })
  t.equal(await presented(server, 'a.test'), fingerprint('a'))
})

t.test(
  'random keys, phrases and typing mistakes lead to the same conversation as with Apache httpd',
  { skip: noHttpd },
  async (t) => {
    const [first, count] = [Number(process.env.PASS_PHRASE_SEED ?? 1), Number(process.env.PASS_PHRASE_WORLDS ?? 2)]
    for (let seed = first; seed < first + count; seed++) {
      const hosts = randomHosts(new Random(seed))
      await t.test(`seed ${seed}`, async (t) => {
        const [ours, theirs] = [await converse(t, OURS, MODULES, hosts), await converse(t, HTTPD, HTTPD_MODULES, hosts)]
        t.strictSame(ours, theirs, JSON.stringify(hosts))
      })
    }
  },
)

function host(name: string, ...keys: readonly KeyFile[]): Host {
  return { name, keys }
}

function configure(server: StagedServer, modules: string, hosts: readonly Host[]): void {
  const isHttpd = modules === HTTPD_MODULES
  const sections = hosts.map(({ name, keys }) => {
    const pairs = keys.map((key, index) => {
      const [certificate, own] = [`tls/${name}-${index}.crt`, `tls/${name}-${index}.key`]
      server.file(certificate, tls(`${key.name}.crt`))
      server.file(own, keyText(key))
      return `SSLCertificateFile ${certificate}\nSSLCertificateKeyFile ${own}`
    })
    return `<VirtualHost *:${server.port}>\nServerName ${name}\nSSLEngine on\n${pairs.join('\n')}\n</VirtualHost>`
  })
  const loaded = [...(isHttpd ? ['mpm_event'] : []), 'authz_core', 'ssl']
  server.configure(
    ...loaded.map((name) => `LoadModule ${name}_module ${join(modules, `mod_${name}.so`)}`),
    'LogLevel ssl:info',
    'ErrorLogFormat "%M"',
    'SSLPassPhraseDialog builtin',
    ...sections,
  )
}

function keyText({ name, form, passPhrase }: KeyFile): string {
  const key = createPrivateKey(tls(`${name}.key`))
  if (form === 'plain') return String(key.export({ type: 'pkcs8', format: 'pem' }))
  const type = form === 'pkcs8' ? 'pkcs8' : key.asymmetricKeyType === 'rsa' ? 'pkcs1' : 'sec1'
  return String(key.export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: Buffer.from(passPhrase, 'latin1') }))
}

/** Starts a server in the background at a terminal where somebody types. It is stopped with the test. */
function start(t: Test, server: StagedServer, program: string, hosts: readonly Host[]): ReturnType<typeof atTerminal> {
  stopLater(t, server)
  const scripts = new Map(hosts.flatMap(({ name, keys }) => keys.map(({ typed }, index) => [`${name}:443:${index}`, [...typed]])))
  const command = [program, '-d', server.root, '-f', server.path('conf/httpd.conf'), '-k', 'start']
  return atTerminal(server.root, command, PROMPT, (screen) => {
    const [, id = ''] = /.*Private key (\S+) /s.exec(screen) ?? []
    return scripts.get(id)?.shift() ?? CTRL_C
  })
}

function stopLater(t: Test, server: StagedServer): void {
  t.teardown(() => endByPidFile(server.path('logs/httpd.pid')))
}

async function startWithInput(server: StagedServer, input: string): Promise<{ status: number | null; stdout: string }> {
  // A session of its own has no terminal.
  const child = spawn(OURS, ['-d', server.root, '-k', 'start'], {
    detached: true,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  let stdout = ''
  child.stdout.on('data', (bytes: Buffer) => {
    stdout += bytes.toString('latin1')
  })
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, stdout })))
}

/** The conversation of a server, what its log says about keys, and the certificates with which it serves. */
async function converse(t: Test, program: string, modules: string, hosts: readonly Host[]): Promise<object> {
  const server = await StagedServer.make(t, program)
  configure(server, modules, hosts)
  const { status, screen } = await start(t, server, program, hosts)
  const certificates: Record<string, string | null> = {}
  if (status === 0) {
    await until('the server has its number', () => existsSync(server.path('logs/httpd.pid')))
    for (const { name } of hosts) certificates[name] = await presented(server, name)
  }
  const lines = screen.replaceAll(server.root, '@ROOT@').split('\n')
  const shown = lines
    .filter((line) => !line.startsWith('hint: '))
    .join('\n')
    .trimEnd()
  const log = server.read('logs/error_log').replaceAll(server.root, '@ROOT@').split('\n')
  // httpd starts twice, and then finds the keys that it has.
  return { status, shown, log: log.filter((line) => /^AH(?:0196[5-9]|0257[6-9]|0258\d|02564)/.test(line)), certificates }
}

async function presented(server: StagedServer, servername: string): Promise<string> {
  const options = { host: '127.0.0.1', port: server.port, servername, rejectUnauthorized: false }
  // httpd returns before it listens.
  await until('the server listens', () => canConnect(server.port))
  const socket = connect(options)
  try {
    await new Promise((resolve, reject) => socket.on('secureConnect', resolve).on('error', reject))
    return socket.getPeerCertificate().fingerprint256
  } catch (error) {
    return String(error)
  } finally {
    socket.destroy()
  }
}

function fingerprint(name: string): string {
  return new X509Certificate(tls(`${name}.crt`)).fingerprint256
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [join(folder, entry.name)] : []))
}

/** Servers with several keys, some of which open with the same phrase, and typists who make mistakes. */
function randomHosts(random: Random): readonly Host[] {
  const passPhrases = ['alpha', 'b e t a', 'g\xc3\xa4mma', '$`"\'\\', '1', 'x'.repeat(200)]
  const names = ['a', 'b', 'localhost']
  return random
    .several(1, 3, () => '')
    .map((_, place): Host => {
      const kinds = random.percent(30) ? [names[place], 'localhost-ec'] : [names[place]]
      const keys = kinds.map((name): KeyFile => {
        const passPhrase = random.pick(passPhrases)
        const mistakes = random.several(0, 2, () =>
          random.pick(['wrong\r', '\r', '\r\r', `${passPhrase} \r`, `${'y'.repeat(1100)}\r`]),
        )
        const last = random.percent(15) ? [] : [`${passPhrase}\r`]
        return { name, form: random.pick(['plain', 'pkcs8', 'pkcs8', 'traditional']), passPhrase, typed: [...mistakes, ...last] }
      })
      return { name: `host-${place}.test`, keys }
    })
}
