#!/usr/bin/env node
// npm run conformance -- OPTIONS: compares dist/bin/httpd with the recorded answers of test/conformance.
//   --due      the families that must pass whole
//   --worded   cases in which the runner also compares what every server words for itself; that does not count here
//   --others   the other families, one line each; the exit status is 0 whatever they count
//   OPTIONS    everything else goes to test/conformance/run.mjs: --cases seeds,http/paths --fields status --verbose ... (see its README)
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DUE, notDue } from './conformance-families.mjs'
import { failuresBesideWording, WORDED } from './conformance-wording.mjs'
import { ROOT } from './inputs.cjs'

const SUITE = join(ROOT, 'test/conformance')
const HTTPD = join(ROOT, 'dist/bin/httpd')
const given = process.argv.slice(2)

if (!existsSync(HTTPD)) {
  console.error('conformance: dist/ is not built; run `npm run build`')
  process.exit(1)
}
if (given.includes('--others')) {
  for (const family of notDue())
    console.log(`${family.padEnd(20)} ${lastLine(run(['--cases', family, '--max-print', '0'], 'pipe').stdout)}`)
} else if (given.includes('--worded')) {
  process.exitCode = runWorded(given.filter((word) => word !== '--worded'))
} else {
  const options = given.includes('--due') ? ['--cases', DUE.join(','), ...given.filter((word) => word !== '--due')] : given
  process.exitCode = run(options, 'inherit').status ?? 1
}

/** Later options win, so what is given overrides ours. */
function run(options, output) {
  const ours = options.includes('--profile') ? [] : serverOptions()
  return spawnSync(process.execPath, [join(SUITE, 'run.mjs'), ...ours, ...options], {
    stdio: ['ignore', output, 'inherit'],
    encoding: 'utf8',
  })
}

function runWorded(options) {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    const file = join(folder, 'report.json')
    run(['--cases', WORDED.join(','), ...options, '--max-print', '0', '--json', file], 'pipe')
    const report = JSON.parse(readFileSync(file, 'utf8'))
    const failures = failuresBesideWording(report, productName().length - recordedProductName().length)
    for (const failure of failures) console.log(`FAIL ${JSON.stringify(failure)}`)
    console.log(`${report.failed - failures.length} answers differ in nothing but words and their lengths`)
    console.log(`${report.passed + report.failed - failures.length} passed, ${failures.length} failed`)
    return failures.length === 0 ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** As the field Server has it. */
function productName() {
  const { stdout } = spawnSync(HTTPD, ['-v'], { encoding: 'utf8' })
  return /^Server version: (.*)$/m.exec(stdout)[1]
}

function recordedProductName() {
  return JSON.parse(readFileSync(join(SUITE, 'cases/logs/format-items.golden.json'), 'utf8')).recordedWith
}

function serverOptions() {
  return [
    ...['--httpd', HTTPD],
    ...['--module-dir', join(ROOT, 'dist/modules')],
    ...['--preamble', join(SUITE, 'gatewright.preamble.conf')],
    ...['--epilogue', join(SUITE, 'gatewright.epilogue.conf')],
  ]
}

function lastLine(text) {
  return text.trimEnd().split('\n').at(-1)
}
