#!/usr/bin/env node
// npm test [-- OPTIONS]: type check of everything, then the tests, but for those that build/longer-tests.txt lists.
//   --all      those as well; npm run test:all is the same
//   OPTIONS    all others, and files, are passed to tap: npm test -- packages/core/test/*.test.ts
// Files that failed are run again, one at a time; the second result counts, and files that passed only alone are named.
// Ends with a line `N passed, N failed` that counts assertions like tap, and a failed type check as one more.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ROOT } from './inputs.cjs'

const BIN = join(ROOT, 'node_modules/.bin')
const scratch = mkdtempSync(join(tmpdir(), 'gatewright-test-'))
/** More failed files than this are no accident of a busy machine: they are not run again. */
const MOST_REPEATED = 20

try {
  console.log('--- types')
  const typed =
    run('tsc', ['--noEmit']) &&
    run('tsc', ['--noEmit', '-p', 'modules/mod_status/browser']) &&
    run('tsc', ['--noEmit', '-p', 'build/playground'])
  console.log(typed ? 'no errors' : 'FAILED')
  console.log('--- tests')
  const first = runTests('all.tap', withFiles(process.argv.slice(2)))
  const { passed, failed } = runFailedAgain(first)
  const allFailed = failed + (typed ? 0 : 1)
  // tap's last output is a control sequence without a line end.
  console.log('')
  if (first.skipped > 0) console.log(`${first.skipped} skipped, because a program they need is missing here`)
  console.log(`${passed} passed, ${allFailed} failed`)
  process.exitCode = allFailed > 0 || passed === 0 ? 1 : 0
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/** The words for tap: with all tests but the longer ones, if no file is given. */
function withFiles(words) {
  const options = words.filter((word) => word !== '--all')
  if (options.length < words.length || options.some((word) => !word.startsWith('-'))) return options
  const { include } = parse(readFileSync(join(ROOT, '.taprc'), 'utf8'))
  const longer = new Set(readFileSync(join(ROOT, 'build/longer-tests.txt'), 'utf8').split('\n'))
  return [...options, ...globSync(include, { cwd: ROOT }).filter((file) => !longer.has(file))]
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

/**
 * Runs tap and reads its output.
 * @returns the assertions that passed, failed and were skipped, and the files that failed. A run that ends with an error
 *   but without a failure counts as one failure.
 */
function runTests(outputName, options) {
  const raw = join(scratch, outputName)
  const good = run('tap', ['run', `--output-file=${raw}`, '--reporter=base', ...options])
  const text = existsSync(raw) ? readFileSync(raw, 'utf8') : ''
  const { pass, fail, skip } = totals(text)
  return { passed: pass, failed: Math.max(fail, good ? 0 : 1), skipped: skip, failedFiles: failedFiles(text) }
}

/**
 * Tests use real processes and sockets, so one of several thousand may exceed a time limit where many run side by side. Runs
 * the failed files again, one at a time. What fails again has failed.
 */
function runFailedAgain({ passed, failed, failedFiles: files }) {
  if (files.length === 0 || files.length > MOST_REPEATED) return { passed, failed }
  console.log(`\n--- once more, one at a time: ${files.join(' ')}`)
  const again = runTests('again.tap', ['--jobs=1', ...files])
  const steady = files.filter((file) => !again.failedFiles.includes(file))
  if (again.failed === 0) for (const file of steady) console.log(`UNSTEADY ${file}: failed beside other tests, passed alone`)
  return { passed: passed + Math.max(0, failed - again.failed), failed: again.failed }
}

/** The files that tap's output names as failed, such as `not ok 7 - test/stop.test.ts # time=81.6ms`. */
function failedFiles(text) {
  return [...text.matchAll(/^not ok \d+ - (\S+\.test\.(?:ts|mjs))(?: #.*)?$/gm)].map(([, file]) => file)
}

/** tap's own summary, the last comment with totals in its output: `# { total: 42, pass: 40, fail: 2 }`. */
function totals(text) {
  const summary = text.match(/^# \{ total: .*\}$/gm)?.at(-1) ?? ''
  const number = (key) => Number(summary.match(new RegExp(`\\b${key}: (\\d+)`))?.[1] ?? 0)
  return { pass: number('pass'), fail: number('fail'), skip: number('skip') }
}
