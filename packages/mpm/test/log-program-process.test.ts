import { existsSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openLogPipes } from '../src/supervisor/log-pipe.ts'
import { LogProgramProcess } from '../src/supervisor/log-program-process.ts'

const STREAMS = { stdout: 'ignore', stderr: 'ignore' } as const

/** A program of the shell, and the events that were reported about it. */
class Trial {
  readonly folder: string
  readonly told: string[] = []
  readonly process: LogProgramProcess

  constructor(t: Test, file: string, ...args: readonly string[]) {
    this.folder = t.testdir()
    const [pipe] = openLogPipes(this.folder, 1)
    this.process = new LogProgramProcess(
      { target: `|${file}`, name: file, file, args: args.map((arg) => arg.replaceAll('@', this.folder)) },
      pipe,
      () => STREAMS,
      (line) => this.told.push(line),
    )
  }

  write(text: string): void {
    writeSync(this.process.pipe.writeEnd, text)
  }

  read(): string {
    const file = join(this.folder, 'out')
    return existsSync(file) ? readFileSync(file, 'latin1') : ''
  }

  async until(condition: () => boolean): Promise<void> {
    for (let tries = 0; !condition(); tries++) {
      if (tries === 500) throw new Error('it never became true')
      await pause(10)
    }
  }
}

t.test('it gets all lines, and its end is waited for', async (t) => {
  const trial = new Trial(t, '/bin/sh', '-c', 'cat > @/out; sleep 0.1; echo end >> @/out')
  t.equal(await trial.process.start(), null)
  trial.write('1\n2\n')
  await trial.process.end()
  t.equal(trial.read(), '1\n2\nend\n')
  t.strictSame(trial.told, [])
})

t.test('a program that cannot be started is reported with its error', async (t) => {
  const trial = new Trial(t, '/nonexistent/program')
  t.match(await trial.process.start(), { code: 'ENOENT' })
  await trial.process.end()
  t.strictSame(trial.told, [])
})

t.test('after an early end another one reads on', async (t) => {
  const trial = new Trial(t, '/bin/sh', '-c', 'read line; echo "$line" >> @/out')
  trial.write('1\n2\n')
  await trial.process.start()
  await trial.until(() => trial.read() === '1\n2\n')
  await trial.until(() => trial.told.length === 2)
  t.strictSame(new Set(trial.told), new Set(["AH00106: piped log program '/bin/sh' failed unexpectedly"]))
  // The third start is still delayed: a line exists for it.
  trial.write('3\n')
  await trial.process.end()
  t.equal(trial.read(), '1\n2\n3\n')
})

t.test('a program that ignores the end of its input is terminated', async (t) => {
  const trial = new Trial(t, '/bin/sh', '-c', 'echo $$ > @/out; sleep 600; true')
  await trial.process.start()
  await trial.until(() => trial.read() !== '')
  await trial.process.end()
  t.throws(() => process.kill(Number(trial.read()), 0), { code: 'ESRCH' })
  t.strictSame(trial.told, [])
})
