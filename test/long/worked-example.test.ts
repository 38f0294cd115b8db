import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { freePort } from '../fixtures/free-port.ts'
import { InstalledServer } from '../fixtures/installed-server.ts'

const README = join(import.meta.dirname, '../../packages/api/README.md')
const EXAMPLE = /^## A module from the first line to an upgrade$([\s\S]*?)^## /m
/** A fenced block: its language, the file it is, and its text. */
const BLOCK = /^```(?<language>\w+)(?: (?<file>\S+))?\n(?<text>[\s\S]*?)^```$/gm

/** A step of a reader of the example. */
type Step =
  | { readonly kind: 'write'; readonly file: string; readonly text: string }
  | { readonly kind: 'run'; readonly script: string }
  | { readonly kind: 'expect'; readonly lines: readonly string[] }

function stepsOf(readme: string): Step[] {
  const example = EXAMPLE.exec(readme)?.[1] ?? ''
  return [...example.matchAll(BLOCK)].flatMap(({ groups = {} }): Step[] => {
    const { language, file, text } = groups
    if (file !== undefined) return [{ kind: 'write', file, text }]
    if (language === 'sh') return [{ kind: 'run', script: text }]
    if (language === 'text') return [{ kind: 'expect', lines: text.trimEnd().split('\n') }]
    return []
  })
}

/**
 * A script of all steps, as if typed into one shell: files are written in the shell's folder, outputs are
 * marked by their step.
 */
function scriptOf(steps: readonly Step[], folder: string): string {
  const lines = steps.map((step, index) => {
    if (step.kind === 'run') return `echo '@@ ${index}'\n${step.script}`
    if (step.kind === 'expect') return ''
    const kept = join(folder, String(index))
    mkdirSync(dirname(kept), { recursive: true })
    writeFileSync(kept, step.text)
    return `mkdir -p "$(dirname '${step.file}')"\ncp '${kept}' '${step.file}'`
  })
  return ['set -eu', ...lines].join('\n')
}

t.test('the worked example works as described, in an empty folder outside of the project', async (t) => {
  const steps = stepsOf(readFileSync(README, 'utf8'))
  t.strictSame(
    ['write', 'run', 'expect'].map((kind) => steps.filter((step) => step.kind === kind).length),
    [5, 5, 2],
    'all blocks are found',
  )
  const server = new InstalledServer(t)
  t.teardown(() => server.run('httpd', ['-k', 'stop']))
  const script = scriptOf(steps, server.makeFolder('printed'))
  const cwd = server.makeFolder('empty folder')
  const port = await freePort()
  const { status, stdout, stderr } = await server.run('env', [`PORT=${port}`, 'bash', '-c', script], { cwd })
  t.equal(status, 0, [...stdout, ...stderr].join('\n'))

  for (const [index, step] of steps.entries()) {
    if (step.kind !== 'expect') continue
    const from = stdout.indexOf(`@@ ${index - 1}`)
    const until = stdout.findIndex((line, at) => at > from && line.startsWith('@@ '))
    const printed = stdout.slice(from + 1, until < 0 ? undefined : until)
    t.strictSame(
      printed.filter((line) => step.lines.includes(line)),
      step.lines,
      printed.join('\n'),
    )
  }
  t.notOk(stdout.some((line) => /^\S fail [1-9]/.test(line)))
})
