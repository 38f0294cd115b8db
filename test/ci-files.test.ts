import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { gatewright } from './fixtures/gatewright.ts'

const FOLDER = join(import.meta.dirname, '../conf/ci')

t.test('the action for GitHub is valid, and its inputs are never part of a command', async (t) => {
  const text = read('action.yml')
  const action: {
    readonly inputs: Record<string, unknown>
    readonly runs: { readonly using: string; readonly steps: readonly Step[] }
  } = parse(text)
  t.equal(action.runs.using, 'composite')
  const used = [...text.matchAll(/\$\{\{ inputs\.(\w+) \}\}/g)].map(([, name]) => name)
  t.strictSame(used.sort(), Object.keys(action.inputs).sort())
  const scripts = action.runs.steps.filter(({ run }) => run !== undefined)
  t.equal(scripts.length, 1)
  for (const { run, shell, env } of scripts) {
    t.equal(shell, 'bash', 'a composite step names its shell')
    t.notMatch(run, /\$\{\{/)
    const variables = [...(run ?? '').matchAll(/\$\{?([A-Z]+)\b/g)].map(([, name]) => name)
    t.strictSame([...new Set(variables)].sort(), Object.keys(env ?? {}).sort())
  }
})

t.test('the job for GitLab keeps the report that it writes', async (t) => {
  const jobs: Record<
    string,
    { readonly script: readonly string[]; readonly artifacts: { readonly reports: { readonly junit: string } } }
  > = parse(read('gitlab-ci.yml'))
  const [job] = Object.values(jobs)
  t.ok(job.script.some((line) => line.includes(`--output ${job.artifacts.reports.junit} `)))
})

t.test('the options that both use are those of the tool', async (t) => {
  const { stdout } = await gatewright(['check', '--help'])
  const used = `${read('action.yml')}${read('gitlab-ci.yml')}`.matchAll(/gatewright.*? (--(?:format|output)\b)/g)
  for (const [, option] of used) t.match(stdout, new RegExp(` ${option} `))
})

interface Step {
  readonly run?: string
  readonly shell?: string
  readonly env?: Record<string, string>
}

function read(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8')
}
