#!/usr/bin/env node
// npm test [-- OPTIONS]: type check of everything, then all tests. Options and files are passed to tap: npm
// test -- packages/core/test/*.test.ts
// Ends with a line `N passed, N failed` that counts assertions like tap, and a failed type check as one more.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './inputs.cjs'

const BIN = join(ROOT, 'node_modules/.bin')
const scratch = mkdtempSync(join(tmpdir(), 'gatewright-test-'))
const raw = join(scratch, 'all.tap')

try {
  console.log('--- types')
  const typed = run('tsc', ['--noEmit']) && run('tsc', ['--noEmit', '-p', 'modules/mod_status/browser'])
  console.log(typed ? 'no errors' : 'FAILED')
  console.log('--- tests')
  const good = run('tap', ['run', `--output-file=${raw}`, '--reporter=base', ...process.argv.slice(2)])
  const { pass, fail, skip } = totals(existsSync(raw) ? readFileSync(raw, 'utf8') : '')
  // A runner that ends with an error but without a failure has failed.
  const failed = (typed ? 0 : 1) + Math.max(fail, good ? 0 : 1)
  // tap's last output is a control sequence without a line end.
  console.log('')
  if (skip > 0) console.log(`${skip} skipped, because a program they need is missing here`)
  console.log(`${pass} passed, ${failed} failed`)
  process.exitCode = failed > 0 || pass === 0 ? 1 : 0
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function run(program, args) {
  // Without this setting tap redraws its screen.
  const env = process.stdout.isTTY ? process.env : { ...process.env, CI: 'true' }
  const { status } = spawnSync(process.execPath, [join(BIN, program), ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return status === 0
}

/** tap's own summary, the last comment with totals in its output: `# { total: 42, pass: 40, fail: 2 }`. */
function totals(text) {
  const summary = text.match(/^# \{ total: .*\}$/gm)?.at(-1) ?? ''
  const number = (key) => Number(summary.match(new RegExp(`\\b${key}: (\\d+)`))?.[1] ?? 0)
  return { pass: number('pass'), fail: number('fail'), skip: number('skip') }
}
