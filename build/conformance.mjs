#!/usr/bin/env node
// npm run conformance -- OPTIONS: compares dist/bin/httpd with the recorded answers of test/conformance.
//   --due      the families that must pass whole
//   --others   the other families, one line each; the exit status is 0 whatever they count
//   OPTIONS    everything else goes to test/conformance/run.mjs: --cases seeds,http/paths --fields status --verbose ... (see its README)
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DUE, notDue } from './conformance-families.mjs'
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
} else {
  const options = given.includes('--due') ? ['--cases', DUE.join(','), ...given.filter((word) => word !== '--due')] : given
  process.exit(run(options, 'inherit').status ?? 1)
}

/** Later options win, so what is given overrides ours. */
function run(options, output) {
  const ours = options.includes('--profile') ? [] : serverOptions()
  return spawnSync(process.execPath, [join(SUITE, 'run.mjs'), ...ours, ...options], {
    stdio: ['ignore', output, 'inherit'],
    encoding: 'utf8',
  })
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
