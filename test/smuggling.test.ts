import { spawnSync } from 'node:child_process'
import t from 'tap'
import { freePort } from './fixtures/free-port.ts'
import { type Contestant, GATEWRIGHT, HTTPD, start } from './oracle-expr/contestant.ts'
import { Site } from './oracle-expr/site.ts'
import { CHUNKS } from './smuggling/chunks.ts'
import { HEADS } from './smuggling/heads.ts'
import { LENGTHS } from './smuggling/lengths.ts'
import type { Shape } from './smuggling/shape.ts'
import { talk } from './smuggling/talk.ts'

const SHAPES: readonly Shape[] = [...LENGTHS, ...CHUNKS, ...HEADS]
const LINES = ['TraceEnable Off', 'Header always set X-Saw "expr=%{REQUEST_METHOD} %{escape:%{REQUEST_URI}}"']
const AT_ONCE = 8

const site = new Site()
t.teardown(() => site.remove())

/** The server's answers to each shape. */
async function answersOf(contestant: Contestant): Promise<Map<Shape, string[]>> {
  const port = await freePort()
  const running = await start(contestant, site, port, LINES)
  const answers = new Map<Shape, string[]>()
  const left = [...SHAPES]
  const work = async (): Promise<void> => {
    for (let shape = left.pop(); shape !== undefined; shape = left.pop()) {
      answers.set(shape, await talk(contestant.address, port, shape.bytes))
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    await running.stop()
  }
  return answers
}

t.test('an ambiguous request is rejected, or read according to RFC 9112', async (t) => {
  const answers = await answersOf(GATEWRIGHT)
  for (const shape of SHAPES) t.same(answers.get(shape), shape.answers, `${shape.name} (RFC ${shape.rule})`)
})

t.test(
  'httpd answers alike, but for the named differences',
  { skip: hasHttpd() ? false : 'apache2 is not installed' },
  async (t) => {
    const answers = await answersOf(HTTPD)
    for (const shape of SHAPES) t.same(answers.get(shape), shape.httpd ?? shape.answers, `${shape.name} (RFC ${shape.rule})`)
  },
)

t.test('every shape has a unique name', async (t) => {
  t.equal(new Set(SHAPES.map(({ name }) => name)).size, SHAPES.length)
})

function hasHttpd(): boolean {
  return spawnSync('apache2', ['-v']).status === 0
}
