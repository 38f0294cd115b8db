import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { freePort } from '../fixtures/free-port.ts'
import { MODULES, StagedServer } from '../fixtures/staged-server.ts'

const CONF = join(import.meta.dirname, '../../conf')
const DIST = join(import.meta.dirname, '../../dist')

t.test(
  'the configuration of the container image serves, tells its health, logs JSON and takes up what the cluster adds',
  async (t) => {
    const server = await StagedServer.make(t)
    const statusPort = await freePort()
    const ports = (text: string): string => text.replaceAll('8080', String(server.port)).replaceAll('8081', String(statusPort))
    server.file('conf/mime.types', readFileSync(join(CONF, 'mime.types')))
    server.file('conf/site/site.conf', readFileSync(join(CONF, 'kubernetes/site.conf')))
    server.file('htdocs/index.html', 'hello\n')
    const configuration = ports(readFileSync(join(CONF, 'container/httpd.conf'), 'latin1'))
    server.file(
      'conf/httpd.conf',
      configuration
        .replace('Define SRVROOT "/opt/gatewright"', `Define SRVROOT "${server.root}"`)
        .replaceAll(' modules/', ` ${MODULES}/`),
    )
    t.match(await server.run('-t'), { status: 0, stderr: ['Syntax OK'] })
    await server.start()

    t.match(await server.get('/'), { status: 200, body: 'hello\n', headers: { 'x-content-type-options': 'nosniff' } })
    t.match(await server.get('/server-status'), { status: 404 }, 'the state has a port of its own')
    const metrics = await (await fetch(`http://127.0.0.1:${statusPort}/server-status?metrics`)).text()
    t.match(metrics, /^gatewright_event_loop_active_seconds_total[ {]/m, 'what the autoscaler asks for')

    const check = healthCheck()
    t.equal(spawnSync(check.program, check.args.map(ports)).status, 0, 'healthy')
    t.match(await server.run('-k', 'graceful'), { status: 0 })
    const ended = await server.stop('SIGWINCH')
    t.equal(spawnSync(check.program, check.args.map(ports)).status, 1, 'not healthy any more')

    t.match(ended, { status: 0 })
    const access = (ended?.stdout ?? []).map((line) => JSON.parse(line))
    t.strictSame(
      access.map((line) => line.message),
      ['GET / HTTP/1.1', 'GET /server-status HTTP/1.1'],
      'probes and scrapes are not logged',
    )
    const errors = (ended?.stderr ?? []).map((line) => JSON.parse(line))
    t.ok(errors.some((line) => line['event.code'] === 'AH00489'))
  },
)

/** The command of the image, with the staged Node. */
function healthCheck(): { readonly program: string; readonly args: readonly string[] } {
  const dockerfile = readFileSync(join(CONF, 'container/Dockerfile'), 'utf8')
  const words: string[] = JSON.parse(/^HEALTHCHECK .* CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]')
  const [program, ...args] = words
  return { program: program.replace('/opt/gatewright', DIST), args }
}
