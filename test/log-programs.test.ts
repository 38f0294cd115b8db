import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'

const ROTATELOGS = join(import.meta.dirname, '../dist/bin/rotatelogs')

t.test('the staged rotatelogs receives the access log of a server and divides it by size, without losing a line', async (t) => {
  const server = await StagedServer.make(t)
  server.file('htdocs/index.html', 'page\n')
  mkdirSync(server.path('logs/access'), { mode: 0o777 })
  server.configure(
    ...['authz_core', 'dir'].map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.mjs`),
    '<Location />',
    'Require all granted',
    '</Location>',
    'LogFormat "%{number}i %>s" numbered',
    `CustomLog "|'${ROTATELOGS}' -n 100 @ROOT@/logs/access/log 64B" numbered`,
  )
  await server.start()
  const count = 60
  for (let number = 0; number < count; number++) {
    t.equal((await server.get('/', { headers: { number: String(number) } })).status, 200)
  }
  t.match(await server.stop(), { status: 0 })
  const files = (): string[] => readdirSync(server.path('logs/access'))
  const lines = (): string[] =>
    files().flatMap((name) =>
      readFileSync(server.path(`logs/access/${name}`), 'utf8')
        .split('\n')
        .filter(Boolean),
    )
  await until('all lines are written', () => existsSync(server.path('logs/access/log')) && lines().length >= count)
  t.strictSame(
    lines().sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10)),
    Array.from({ length: count }, (_, number) => `${number} 200`),
  )
})
