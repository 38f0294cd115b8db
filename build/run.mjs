// node build/run.mjs NAME [ARGUMENTS]: builds what has changed, then runs a test suite or tool of suites.json. The npm scripts of these names call it.
// Node 18 and newer run it: bootstrap.cjs installs the Node that runs the suite.

import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { ROOT } from './inputs.cjs'

/**
 * By name: `file` to run, `args` before those of the command line, whether it imports the `sources` of
 * packages, and its description `about`.
 */
const SUITES = new Map(Object.entries(JSON.parse(readFileSync(join(ROOT, 'build/suites.json'), 'utf8'))))

const BIN = join(ROOT, 'node_modules/.bin')

/** For suites that import packages: from src/, not dist/. */
const FROM_SOURCES = ['--conditions=gatewright-source', '--disable-warning=ExperimentalWarning']

const [name = '', ...args] = process.argv.slice(2)
const suite = SUITES.get(name)
if (suite === undefined) {
  const complaint = name === '' ? 'no name is given' : `there is no ${name}`
  console.error(`run: ${complaint}\nhint: node build/run.mjs NAME [ARGUMENTS], where NAME is one of`)
  for (const [known, { about }] of SUITES) console.error(`  ${known.padEnd(22)} ${about}`)
  process.exitCode = 2
} else {
  const ready = await run(process.execPath, [join(ROOT, 'build/bootstrap.cjs')])
  process.exitCode = ready === 0 ? await runSuite(suite) : ready
}

function runSuite({ file, sources = false, args: first = [] }) {
  const installed = join(BIN, 'node')
  const node = existsSync(installed) ? installed : process.execPath
  return run(node, [...(sources ? FROM_SOURCES : []), join(ROOT, file), ...first, ...args])
}

/** Runs a program in the project's folder, with the signals that this process receives. @returns its exit status */
function run(program, words) {
  return new Promise((resolve) => {
    const env = { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}` }
    const child = spawn(program, words, { cwd: ROOT, env, stdio: 'inherit' })
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    // A terminal sends Ctrl-C to the program as well.
    const forward = (signal) => void ((signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal))
    for (const signal of signals) process.on(signal, forward)
    const finish = (status) => {
      for (const signal of signals) process.off(signal, forward)
      resolve(status)
    }
    child.on('error', (error) => {
      console.error(`run: ${program}: ${error.message}`)
      finish(1)
    })
    child.on('exit', (status, signal) => finish(status ?? 128 + (constants.signals[signal] ?? 0)))
  })
}
