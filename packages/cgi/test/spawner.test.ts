import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { PlainExchange } from '@gatewright/upstream'
import t, { type Test } from 'tap'
import { NO_LIMITS, type ProgramSpec, Spawner, type StartedProgram } from '../src/index.ts'

/** Generous: other programs may keep the machine busy. */
const LIMIT = 30_000

function spawner(t: Test): Spawner {
  const made = new Spawner()
  t.teardown(() => made.close())
  return made
}

function shell(script: string, more: Partial<ProgramSpec> = {}): ProgramSpec {
  const base = { file: '/bin/sh', name: 'sh', args: ['-c', script], folder: tmpdir(), env: [], limits: NO_LIMITS } as const
  return { ...base, errors: 'server', hasInput: true, ...more }
}

/** What it writes, after its input has ended. */
async function outputOf(program: StartedProgram, input = ''): Promise<string> {
  let text = ''
  const ended = new Promise<void>((resolve) => {
    const exchange = new PlainExchange(program.connection, 0, {
      onData: (bytes) => {
        text += bytes.toString('latin1')
      },
      onEnd: resolve,
      onError: () => resolve(),
    })
    void program.running.then((errno) => {
      exchange.endRequest()
      if (errno !== null) return
      program.input?.write(Buffer.from(input, 'latin1'))
      program.input?.end()
    })
  })
  await ended
  return text
}

async function until(condition: () => boolean): Promise<boolean> {
  for (const limit = Date.now() + LIMIT; Date.now() < limit; await pause(20)) if (condition()) return true
  return false
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

t.test('a program reads its input up to its end, and its output arrives', async (t) => {
  const program = await spawner(t).start(shell('tr a-z A-Z; echo done'))
  t.equal(await outputOf(program, 'hello '), 'HELLO done\n')
  t.equal(await program.running, null)
  await program.ended
})

t.test('environment and arguments arrive byte by byte, also such as are no UTF-8, and nothing else is there', async (t) => {
  const made = spawner(t)
  const bytes = 'a\xe9\xff\'"$(x)\\ \n'
  const args = ['-c', 'printf "[%s]" "$X" "$0" "$1"', 'zero', bytes]
  for (const value of [bytes, 'caf\xc3\xa9', 'plain']) {
    const output = await outputOf(await made.start(shell('', { args, env: [['X', value]] })))
    t.equal(output, `[${value}][zero][${bytes}]`)
  }
  const names = await outputOf(
    await made.start(
      shell('', {
        file: '/usr/bin/env',
        args: [],
        env: [
          ['A', '\xe9'],
          ['B', 'b'],
        ],
      }),
    ),
  )
  t.equal(names, 'A=\xe9\nB=b\n')
})

t.test('a program has no descriptors but its standard ones, and its errors may be read', async (t) => {
  const made = spawner(t)
  const listed = await outputOf(await made.start(shell('ls /proc/self/fd')))
  // The last one is that of the folder which ls reads.
  t.equal(listed, '0\n1\n2\n3\n')
  const program = await made.start(shell('echo out; echo err >&2', { errors: 'apart' }))
  t.ok(program.errors !== null)
  let errors = ''
  const read = new Promise<void>((resolve) => {
    if (program.errors === null) return resolve()
    const over = (): void => resolve()
    new PlainExchange(program.errors, 0, { onData: (part) => void (errors += part.toString()), onEnd: over, onError: over })
  })
  t.equal(await outputOf(program), 'out\n')
  await read
  t.equal(errors, 'err\n')
})

t.test('a program that cannot be executed is reported with the error of the system', async (t) => {
  const made = spawner(t)
  const folder = t.testdir({ text: 'echo no line that names an interpreter', lost: '#!/no/such/interpreter\n', empty: '' })
  const { chmodSync } = await import('node:fs')
  const errnoOf = async (name: string): Promise<number | null> =>
    (await made.start(shell('', { file: `${folder}/${name}` }))).running
  t.equal(await errnoOf('text'), 13)
  for (const name of ['text', 'lost', 'empty']) chmodSync(`${folder}/${name}`, 0o755)
  t.equal(await errnoOf('text'), 8)
  t.equal(await errnoOf('empty'), 8)
  t.equal(await errnoOf('lost'), 2)
  t.equal(await errnoOf('missing'), 2)
  t.equal(await outputOf(await made.start(shell('echo still'))), 'still\n')
})

t.test('limits of the system are in force', async (t) => {
  const limits = { ...NO_LIMITS, cpu: { soft: 7, hard: 9 }, memory: { soft: 512 * 1024 * 1024, hard: null } }
  const program = await spawner(t).start(shell('ulimit -St; ulimit -Ht; ulimit -Sv', { limits }))
  t.equal(await outputOf(program), `7\n9\n${512 * 1024}\n`)
})

t.test('a program that nobody waits for ends with its own children, also if it ignores the signal', async (t) => {
  const program = await spawner(t).start(shell('trap "" TERM; sleep 1000 & echo $!; wait; wait; sleep 1000'))
  let text = ''
  new PlainExchange(program.connection, 0, {
    onData: (bytes) => void (text += bytes.toString()),
    onEnd: () => undefined,
    onError: () => undefined,
  })
  t.ok(await until(() => text.endsWith('\n')))
  t.ok(isAlive(Number(text)))
  program.end('broken')
  await program.ended
  t.ok(await until(() => !isAlive(Number(text))))
})

t.test('with the helper process, all programs end, and no socket is left', async (t) => {
  const made = new Spawner()
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('gatewright-cgi-'))
  const program = await made.start(shell('echo $$; sleep 1000'))
  let text = ''
  new PlainExchange(program.connection, 0, {
    onData: (bytes) => void (text += bytes.toString()),
    onEnd: () => undefined,
    onError: () => undefined,
  })
  t.ok(await until(() => text.endsWith('\n')))
  made.close()
  await program.ended
  t.ok(await until(() => !isAlive(Number(text))))
  const isLeft = (name: string): boolean => name.startsWith('gatewright-cgi-') && !before.includes(name)
  t.ok(await until(() => !readdirSync(tmpdir()).some(isLeft)))
  await t.rejects(made.start(shell('echo')), { message: 'this process ends' })
})

t.test('sixty programs at a time get their own input and output', async (t) => {
  const made = spawner(t)
  const run = async (i: number): Promise<string> => outputOf(await made.start(shell(`cat; echo ${i}`)), `in ${i} `)
  const numbers = Array.from({ length: 60 }, (_, i) => i)
  t.strictSame(
    await Promise.all(numbers.map(run)),
    numbers.map((i) => `in ${i} ${i}\n`),
  )
})
