#!/usr/bin/env node
// npm run conformance [-- OPTIONS]: compares dist/bin/httpd with the recorded answers in test/conformance.
//   (nothing)  the families that are due, which must pass completely. --due is the same
//   --worded   cases in which the runner also compares server-specific wording, which is ignored here, and cases
//              with answers of httpd that would be a weakness, of which only the listed differences are allowed
//   --others   all other cases, one line for each family; the exit status is 0 whatever they count. Cases for
//              modules that do not exist here are listed but not run
//   OPTIONS    all others are passed to test/conformance/run.mjs: --cases seeds,http/paths --fields status
//              --verbose ... (see its README)
// Ends with `N passed, N failed`. A case that needs a missing program is not run: as root, where .ci/run
// installs programs, it counts as failed; elsewhere the line before the last shows the number of such cases.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { dueByProcesses, notDue } from './conformance-families.mjs'
import { freePorts } from './conformance-ports.mjs'
import { failuresBesideStricter, STRICTER } from './conformance-stricter.mjs'
import { failuresBesideWording, WORDED } from './conformance-wording.mjs'
import { ROOT } from './inputs.cjs'

const SUITE = join(ROOT, 'test/conformance')
const HTTPD = join(ROOT, 'dist/bin/httpd')
const MODULES = join(ROOT, 'dist/modules')
/** Concurrent cases; each has its own port. */
const JOBS = 2
const given = process.argv.slice(2)

if (!existsSync(HTTPD)) {
  console.error('conformance: dist/ is not built; run `npm run build`')
  process.exit(1)
}
if (given.includes('--others')) await runOthers(given.filter((word) => word !== '--others'))
else if (given.includes('--worded')) process.exitCode = await runWorded(given.filter((word) => word !== '--worded'))
else if (given.includes('--cases')) process.exitCode = (await run(given)).status
else process.exitCode = await runDue(given.filter((word) => word !== '--due'))

/**
 * Some cases wait for silence or for the start of a server for a limited time, so a correct case may fail on
 * a busy machine. Failed cases are run again, one at a time; the second result counts.
 * @returns the exit status: 0 if every case was run and passed
 */
async function runDue(options) {
  const due = dueByProcesses()
  const many = await runTwice(due.several, options)
  const one = await runTwice(due.one, ['--epilogue', join(ROOT, 'build/one-process.epilogue.conf'), ...options])
  return sumUp(many.passed + one.passed, many.failed + one.failed, [...many.notRun, ...one.notRun])
}

async function runTwice(cases, options) {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    const file = join(folder, 'report.json')
    const first = await run(['--cases', cases.join(','), ...options, '--json', file], { endsBeforeTotals: true })
    let { passed, failed } = first
    const failing = existsSync(file) ? casesThatFailed(file) : []
    if (failing.length > 0) {
      console.log(`once more, one at a time: ${failing.join(' ')}`)
      const again = await run(['--cases', failing.join(','), ...options, '--jobs', '1'], { endsBeforeTotals: true })
      passed += failed - again.failed
      failed = again.failed
      if (failed === 0) console.log('all of these pass alone')
    }
    return { passed, failed, notRun: first.notRun }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function casesThatFailed(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
    .cases.filter(({ failures }) => failures.length > 0)
    .map((one) => one.case)
}

function sumUp(passed, failed, notRun) {
  const mustRun = process.getuid?.() === 0
  for (const one of notRun) console.log(mustRun ? `FAIL ${one}` : `not run: ${one}`)
  if (notRun.length > 0 && !mustRun)
    console.log(`${notRun.length} cases not run, because a program that they need is missing here`)
  const allFailed = failed + (mustRun ? notRun.length : 0)
  console.log(`${passed} passed, ${allFailed} failed`)
  return allFailed > 0 || passed === 0 ? 1 : 0
}

async function runOthers(options) {
  const passedOver = []
  for (const [family, cases] of notDue()) {
    const files = cases.map((one) => join(SUITE, 'cases', `${one}.case.json`)).join(',')
    const words = ['--cases', files, '--max-print', '0', '--only-modules', modulesHere().join(','), ...options]
    const { passed, failed, notRun } = await run(words, { isQuiet: true })
    passedOver.push(...notRun.map((one) => one.replace(/ needs .*/, '')))
    console.log(`${family.padEnd(22)} ${passed} passed, ${failed} failed, ${notRun.length} of ${cases.length} cases not run`)
  }
  if (passedOver.length > 0)
    console.log(`not run, because a module or program that they need is missing here: ${passedOver.join(' ')}`)
}

/** Names as the cases list them: mod_dir.mjs is `dir`. */
function modulesHere() {
  return readdirSync(MODULES)
    .filter((file) => /^mod_\w+\.mjs$/.test(file))
    .map((file) => basename(file, '.mjs').slice('mod_'.length))
}

/**
 * Runs the suite; later options take precedence, so the given ones override ours.
 * @returns figures of its last line, its exit status, and the cases that were not run, as `CASE needs
 *   PROGRAM`
 */
async function run(options, { isQuiet = false, endsBeforeTotals = false } = {}) {
  const ours = options.includes('--profile') ? [] : serverOptions()
  const jobs = options.includes('--jobs') ? Number(options[options.indexOf('--jobs') + 1]) : JOBS
  const ports = options.includes('--port') ? [] : ['--port', String(await freePorts(jobs))]
  const child = spawn(process.execPath, [join(SUITE, 'run.mjs'), ...ours, ...ports, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const result = { passed: 0, failed: 0, status: 1, notRun: [] }
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve(status ?? 1))
  })
  let hasEnded = false
  for await (const line of createInterface({ input: child.stdout })) {
    const figures = /^(\d+) passed, (\d+) failed$/.exec(line)
    const missing = /^not run: (.*)$/.exec(line)
    if (figures !== null) {
      ;[result.passed, result.failed] = figures.slice(1).map(Number)
      hasEnded = true
    }
    if (missing !== null) result.notRun.push(missing[1])
    const isKept = (figures !== null || missing !== null) && endsBeforeTotals
    if (!isQuiet && !isKept) console.log(line)
  }
  result.status = await ended
  // A runner that ended without its figures has failed.
  if (!hasEnded) result.failed = 1
  return result
}

/** As the cases that are due, failed cases are run again, one at a time, and the second result counts. */
async function runWorded(options) {
  const first = await runApart([...WORDED, ...Object.keys(STRICTER)], options)
  const failing = [...new Set(first.failures.map((failure) => failure.case))]
  let { failures } = first
  if (failing.length > 0) {
    console.log(`once more, one at a time: ${failing.join(' ')}`)
    failures = (await runApart(failing, [...options, '--jobs', '1'])).failures
  }
  for (const failure of failures) console.log(`FAIL ${JSON.stringify(failure)}`)
  const onPurpose = first.failed - first.failures.length
  console.log(`${onPurpose} answers differ in words and their lengths, or are stricter on purpose`)
  console.log(`${first.passed + first.failed - failures.length} passed, ${failures.length} failed`)
  return failures.length === 0 ? 0 : 1
}

async function runApart(cases, options) {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    const file = join(folder, 'report.json')
    await run(['--cases', cases.join(','), ...options, '--max-print', '0', '--json', file], { isQuiet: true })
    const report = JSON.parse(readFileSync(file, 'utf8'))
    const worded = { cases: report.cases.filter((one) => WORDED.includes(one.case)) }
    const stricter = Object.fromEntries(Object.entries(STRICTER).filter(([name]) => cases.includes(name)))
    const failures = [...failuresBesideWording(worded), ...failuresBesideStricter(report, stricter)]
    return { passed: report.passed, failed: report.failed, failures }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function serverOptions() {
  return [
    ...['--httpd', HTTPD],
    ...['--module-dir', MODULES],
    ...['--jobs', String(JOBS)],
    ...['--preamble', join(SUITE, 'gatewright.preamble.conf')],
    ...['--epilogue', join(SUITE, 'gatewright.epilogue.conf')],
  ]
}
