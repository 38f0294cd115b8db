import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

interface Finished {
  readonly code: unknown
  readonly stderr: string
}

async function run(script: string, ...args: string[]): Promise<Finished> {
  const path = fileURLToPath(new URL(`fixtures/${script}.ts`, import.meta.url))
  const child = spawn(
    process.execPath,
    ['--conditions=gatewright-source', '--disable-warning=ExperimentalWarning', path, ...args],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let stderr = ''
  child.stderr.setEncoding('latin1').on('data', (text: string) => {
    stderr += text
  })
  const [code] = await once(child, 'close')
  return { code, stderr }
}

t.test('two processes append whole lines to the same file', async (t) => {
  const path = `${t.testdir()}/shared.log`
  const results = await Promise.all([run('append-lines', path, 'a', '6000'), run('append-lines', path, 'b', '6000')])
  t.same(results, [
    { code: 0, stderr: '' },
    { code: 0, stderr: '' },
  ])
  const lines = readFileSync(path, 'latin1').split('\n')
  t.equal(lines.pop(), '')
  const next = new Map([
    ['a', 0],
    ['b', 0],
  ])
  let torn = 0
  for (const line of lines) {
    const mark = line.charAt(0)
    const number = next.get(mark) ?? Number.NaN
    if (line !== `${mark}${number} ${mark.repeat(number % 200)} end`) torn++
    next.set(mark, number + 1)
  }
  t.equal(torn, 0, 'every line is whole and in its order')
  t.same([...next.values()], [6000, 6000])
})

t.test('a flush at exit leaves every line in the file', async (t) => {
  const directory = t.testdir()
  const { code, stderr } = await run('exit-at-once', directory)
  const expected = (mark: string): string => Array.from({ length: 50 }, (_, i) => `${mark} ${i}\n`).join('')
  t.equal(code, 0)
  t.equal(readFileSync(`${directory}/turn.log`, 'latin1'), expected('turn'))
  t.equal(readFileSync(`${directory}/block.log`, 'latin1'), expected('block'))
  t.equal(stderr, expected('stderr'))
})
