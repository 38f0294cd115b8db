import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { askCommand } from '../src/supervisor/ask-command.ts'
import { CommandSocket, commandSocketPath, type RunCommand, shortPath } from '../src/supervisor/command-socket.ts'

/** @returns the pid file of a server that listens in a folder */
async function listening(
  t: Test,
  folder: string,
  run: RunCommand,
): Promise<{ readonly pidFile: string; readonly socket: CommandSocket }> {
  const pidFile = join(folder, 'httpd.pid')
  const path = commandSocketPath(pidFile)
  const socket = new CommandSocket(path, run)
  t.teardown(() => socket.close(true))
  const failures: Error[] = []
  socket.open((error) => failures.push(error))
  for (let tries = 0; !existsSync(path) && tries < 3000; tries++) await pause(10)
  t.strictSame(failures, [])
  return { pidFile, socket }
}

/** Sends a text to a socket. @returns what it answers until it closes the connection */
function exchange(path: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    const short = shortPath(path)
    const client = net.connect({ path: short.path }, () => {
      short.done()
      client.write(text)
    })
    let answer = ''
    client.on('data', (chunk) => {
      answer += String(chunk)
    })
    client.on('error', () => undefined)
    client.on('close', () => resolve(answer))
  })
}

const echo: RunCommand = async ({ words, isOfFormer }) => [JSON.stringify({ data: { words, isOfFormer } })]

t.test('a command is answered, also below a path that no address of a socket can hold', async (t) => {
  const long = join(t.testdir(), 'x'.repeat(60), 'y'.repeat(60))
  mkdirSync(long, { recursive: true })
  const { pidFile } = await listening(t, long, echo)
  const answer = await askCommand(pidFile, { words: ['list', 'a b'], isOfFormer: true })
  t.strictSame(answer, { answers: [{ data: { words: ['list', 'a b'], isOfFormer: true } }] })
  t.equal(statSync(commandSocketPath(pidFile)).mode & 0o777, 0o600)
})

t.test('what is no command runs nothing', async (t) => {
  let runs = 0
  const { pidFile } = await listening(t, t.testdir(), async () => [String(++runs)])
  for (const line of ['', 'x', '[]', 'null', '{"words":[]}', '{"words":[],"isOfFormer":true}', '{"words":[1],"isOfFormer":true}'])
    t.match(
      await exchange(commandSocketPath(pidFile), `${line}\n`),
      /"problem":"the server did not understand the command"/,
      line,
    )
  t.equal(await exchange(commandSocketPath(pidFile), 'x'.repeat(70_000)), '', 'a line without end')
  t.equal(runs, 0)
})

t.test('a successor takes the name, and the end of the former server leaves it to it', async (t) => {
  const folder = t.testdir()
  const former = await listening(t, folder, async () => ['{"data":{"from":"former"}}'])
  const own = new CommandSocket(commandSocketPath(former.pidFile), async () => ['{"data":{"from":"successor"}}'])
  t.teardown(() => own.close(true))
  own.open((error) => t.fail(error.message))
  const from = async () => JSON.stringify(await askCommand(former.pidFile, { words: ['x'], isOfFormer: false }))
  for (let tries = 0; !(await from()).includes('successor') && tries < 3000; tries++) await pause(10)
  former.socket.close(false)
  await pause(10)
  t.match(await from(), /successor/)
  own.close(true)
  t.notOk(existsSync(commandSocketPath(former.pidFile)))
})

t.test('a server that does not listen, or answers something else, is reported', async (t) => {
  const pidFile = join(t.testdir(), 'httpd.pid')
  t.match(await askCommand(pidFile, { words: ['x'], isOfFormer: false }), { problem: /ENOENT/, hint: /mod_proxy_balancer/ })
  writeFileSync(commandSocketPath(pidFile), '')
  t.match(await askCommand(pidFile, { words: ['x'], isOfFormer: false }), { problem: /ECONNREFUSED/ })
  const other = await listening(t, t.testdir(), async () => ['3'])
  t.match(await askCommand(other.pidFile, { words: ['x'], isOfFormer: false }), { problem: /not that of a command/ })
})
