import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { until } from './fixtures/until.ts'

const PROGRAMS = join(import.meta.dirname, '../dist/bin')

/** The answer; an empty text if the connection is refused, because the worker changes during a reload. */
async function ask(url: string): Promise<string> {
  try {
    const answer = await fetch(url)
    return `${answer.status} ${await answer.text()}`
  } catch {
    return ''
  }
}

t.test('apxs --dev serves a module, and serves it again after every change', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'gatewright-apxs-dev-'))
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  const made = spawnSync(join(PROGRAMS, 'apxs'), ['-g', '-n', 'shiny'], { cwd: home, encoding: 'utf8' })
  t.equal(made.status, 0, made.stderr)
  const folder = join(home, 'shiny')
  const change = (name: string, from: string, to: string): void => {
    const text = readFileSync(join(folder, name), 'utf8')
    t.ok(text.includes(from), `${name} contains ${from}`)
    writeFileSync(join(folder, name), text.replace(from, to))
  }
  const temporary = join(home, 'temporary')
  spawnSync('mkdir', [temporary])
  const lines: string[] = []
  const child = spawn(join(PROGRAMS, 'apxs'), ['--dev', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', TMPDIR: temporary },
  })
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line))
  const exit = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGTERM')
    await exit
  })
  const printed = (pattern: RegExp): boolean => lines.some((line) => pattern.test(line))

  await until('the module is served', () => printed(/serves http/))
  const url = /http:\/\/[\d.:]+/.exec(lines.find((line) => line.includes('serves http')) ?? '')?.[0] ?? ''
  t.equal(await ask(`${url}/shiny`), '200 The sample page of mod_shiny\n')
  await until('the debugger is announced', () => printed(/^debugger: ws:\/\/127\.0\.0\.1:/))
  await until('the request is printed', () => printed(/^GET \/shiny 200 /))

  change('src/index.ts', 'The sample page', 'The second page')
  await until('the changed source is served', async () => (await ask(`${url}/shiny`)) === '200 The second page of mod_shiny\n')
  await until('the times are printed', () => printed(/^checked in .* built in .* reloaded in /))

  change('src/index.ts', "request.handler !== 'shiny'", "request.handlr !== 'shiny'")
  await until('the mistake is printed with its position', () => printed(/index\.ts:\d+:\d+: error TS2551: Property 'handlr'/))
  await until('the former version is said to serve', () => printed(/^not reloaded: the former version continues to serve$/))
  t.equal(await ask(`${url}/shiny`), '200 The second page of mod_shiny\n')
  change('src/index.ts', "request.handlr !== 'shiny'", "request.handler !== 'shiny'")

  change('shiny.conf', 'Require all granted', 'Require ip 192.0.2.1')
  await until('the changed configuration refuses the client', async () => (await ask(`${url}/shiny`)).startsWith('403 '))
  await until('the refusal is explained', () => printed(/^ +- Require ip 192\.0\.2\.1 +denied .*shiny\.conf:4/))

  child.kill('SIGTERM')
  t.strictSame(await exit, [0, null])
  t.equal(await ask(`${url}/shiny`), '', 'the server has ended')
  t.strictSame(
    readdirSync(temporary).filter((name) => name.startsWith('apxs-dev-')),
    [],
  )
})

t.test('apxs --dev reports what is not the package of a module, and ports that do not exist', async (t) => {
  const run = (...words: string[]) => spawnSync(join(PROGRAMS, 'apxs'), ['--dev', ...words], { cwd: tmpdir(), encoding: 'utf8' })
  t.match(run('/'), { status: 1, stderr: /is not the package of a module\.\nhint: apxs -g -n NAME makes one/ })
  t.match(run('--port=70000'), { status: 1, stderr: /--port takes a port from 0 to 65535/ })
})
