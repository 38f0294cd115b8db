import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort } from './fixtures/free-port.ts'
import { gatewright } from './fixtures/gatewright.ts'
import { endByPidFile } from './fixtures/processes.ts'
import { until } from './fixtures/until.ts'

const APACHE = '/usr/sbin/apache2'
const skip = existsSync(APACHE) ? false : 'needs the apache2 package of Debian'

/** A real Apache httpd with folders and a port of its own, in the background. */
class RealServer {
  readonly root: string
  readonly url: string
  readonly pidFile: string

  private constructor(root: string, port: number, extra: string) {
    this.root = root
    this.url = `http://127.0.0.1:${port}/`
    this.pidFile = join(root, 'run/apache.pid')
    for (const folder of ['run', 'htdocs']) mkdirSync(join(root, folder))
    writeFileSync(join(root, 'htdocs/index.html'), 'page\n')
    const modules = ['mpm_event', 'authz_core', 'dir', 'mime'].map(
      (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
    )
    writeFileSync(
      join(root, 'site.conf'),
      `${modules.join('\n')}\n${extra}\nServerName localhost\nListen 127.0.0.1:${port}\nPidFile ${this.pidFile}\nDefaultRuntimeDir ${root}/run\nMutex file:${root}/run\nErrorLog ${root}/error.log\nTypesConfig /dev/null\nDocumentRoot ${root}/htdocs\nDirectoryIndex index.html\n<Directory ${root}/htdocs>\nRequire all granted\n</Directory>\n`,
    )
  }

  static async start(t: Test, extra = ''): Promise<RealServer> {
    const root = mkdtempSync(join(tmpdir(), 'gatewright-take-over-'))
    const server = new RealServer(root, await freePort(), extra)
    // Workers are not root.
    spawnSync('chmod', ['-R', 'a+rX', root])
    t.teardown(async () => {
      for (const name of ['apache.pid', 'gatewright.pid']) await endByPidFile(join(root, 'run', name))
      rmSync(root, { recursive: true, force: true })
    })
    const { status, stderr } = spawnSync(APACHE, ['-d', root, '-f', join(root, 'site.conf'), '-k', 'start'], { encoding: 'utf8' })
    t.equal(status, 0, stderr)
    await until('the server has written its PidFile', () => existsSync(server.pidFile))
    return server
  }

  /** The program that answers, as it names itself. */
  async product(): Promise<string> {
    const response = await fetch(this.url, { headers: { connection: 'close' } })
    return `${response.status} ${(await response.text()).trim()} ${/^\w+/.exec(response.headers.get('server') ?? '')}`
  }
}

t.test('take-over serves in place of a real httpd, and give-back starts that one again', { skip }, async (t) => {
  const server = await RealServer.start(t)
  t.equal(await server.product(), '200 page Apache')
  const checked = await gatewright(['take-over', '--check', server.pidFile])
  t.match(checked, { status: 0, stdout: /: its configuration loads here\n$/ }, checked.stderr)
  t.equal(await server.product(), '200 page Apache', 'a check changes nothing')

  const taken = await gatewright(['take-over', server.pidFile])
  t.match(taken, { status: 0, stdout: /^Gatewright serves; the ports accepted no connections for \d+\.\d\d s$/m }, taken.stderr)
  t.equal(await server.product(), '200 page Gatewright')
  t.equal(statSync(join(server.root, 'run/gatewright-take-over.json')).mode & 0o777, 0o600)

  t.match(await gatewright(['give-back', '--check', server.pidFile]), {
    status: 2,
    stderr: /--check is an option of take-over\n/,
  })
  t.equal(await server.product(), '200 page Gatewright', 'nothing is given back then')
  const back = await gatewright(['give-back', server.pidFile])
  t.match(back, { status: 0, stdout: /apache2 serves; the ports accepted no connections for \d+\.\d\d s\n$/ }, back.stderr)
  t.equal(await server.product(), '200 page Apache')
  t.match(await gatewright(['give-back', server.pidFile]), { status: 1, stderr: /there is nothing to give back/ })
})

t.test(
  'a configuration that does not load leaves the other server alone, and the hint names what lists all causes',
  { skip },
  async (t) => {
    const server = await RealServer.start(t, 'LoadModule lua_module /usr/lib/apache2/modules/mod_lua.so')
    const refused = await gatewright(['take-over', server.pidFile])
    t.match(refused, {
      status: 1,
      stdout: '',
      stderr: /that server continues to serve\nhint: gatewright upgrade-report -d \S+ -f \S+ lists/,
    })
    t.equal(await server.product(), '200 page Apache')
  },
)

t.test('a process that is no httpd is refused, and so is a missing PidFile', async (t) => {
  const folder = t.testdir({ pid: `${process.pid}\n` })
  t.match(await gatewright(['take-over', join(folder, 'pid')]), { status: 1, stderr: /not Apache httpd\nhint: / })
  t.match(await gatewright(['take-over', join(folder, 'none')]), { status: 1, stderr: /no running server was found: .*\nhint: / })
  t.match(await gatewright(['take-over']), { status: 2, stderr: /name one server/ })
})

t.test('a record that others can write is not used: it names a program to start', async (t) => {
  const folder = t.testdir({
    'gatewright.pid': `${process.pid}\n`,
    'gatewright-take-over.json': '{"executable":"/bin/false","words":[],"environment":{},"unit":null}',
  })
  spawnSync('chmod', ['666', join(folder, 'gatewright-take-over.json')])
  t.match(await gatewright(['give-back', join(folder, 'apache.pid')]), { status: 1, stderr: /others can write it/ })
})
