// Prepares a fresh clone and keeps it up to date: dependencies, test runner, build. Called by run.mjs before
// `npm start`, `npm test` and other suites. Does nothing if nothing changed. `node build/bootstrap.cjs
// dependencies` runs only that step. CommonJS with built-in modules, for Node 18 and newer, because it
// installs the Node that runs everything else.
'use strict'
const { spawn } = require('node:child_process')
const { existsSync } = require('node:fs')
const { delimiter, join } = require('node:path')
const { ROOT, buildInputs, hashOf, readStamp, writeStamp } = require('./inputs.cjs')

const BIN = join(ROOT, 'node_modules', '.bin')
const MINIMAL_NODE = [24, 11]
const HEARTBEAT_SECONDS = 10
const started = Date.now()

/** Each step lists its inputs. It runs again if they changed or its output is missing. */
const STEPS = [
  {
    name: 'dependencies',
    doing: 'installing dependencies (the first time about a minute)',
    inputs: () => ['package-lock.json'],
    makes: 'node_modules/.package-lock.json',
    run: installDependencies,
  },
  {
    name: 'test-runner',
    doing: 'preparing the test runner',
    inputs: () => ['package-lock.json', '.taprc'],
    makes: 'node_modules/@tapjs/test/package.json',
    run: () => runOrExplain(node(), [join(BIN, 'tap'), 'build'], 'tap build failed'),
  },
  {
    name: 'build',
    doing: 'building and staging dist/',
    inputs: buildInputs,
    makes: 'dist/bin/httpd',
    run: () =>
      runOrExplain(
        node(),
        [join(ROOT, 'build', 'build.mjs'), '--changed'],
        'the build failed; see its messages above',
        'inherit',
      ),
  },
]

main().catch((error) => {
  console.error(`bootstrap: ${error.message}`)
  process.exitCode = 1
})

async function main() {
  let worked = false
  const only = process.argv.slice(2)
  for (const step of STEPS) {
    if (only.length > 0 && !only.includes(step.name)) continue
    if (existsSync(join(ROOT, step.makes)) && readStamp(step.name) === hashOf(step.inputs())) continue
    worked = true
    say(step.doing)
    await step.run()
    // Hashed again: npm may have completed the lock file.
    writeStamp(step.name, hashOf(step.inputs()))
  }
  if (worked) say('ready')
}

async function installDependencies() {
  const options = ['--include=dev', '--include=optional', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  // `npm start` sets the path of npm; for a direct call, npm is found in PATH.
  const [program, args] = npm ? [process.execPath, [npm]] : ['npm', []]
  const { status, output, error } = await run(program, [...args, 'install', ...options], 'pipe')
  if (error?.code === 'ENOENT')
    throw new Error('npm was not found. Install Node.js 18 or newer, which includes npm, and try again.')
  if (status !== 0) throw new Error(`npm install failed.\n${lastLines(output)}\n${adviceFor(output)}`)
  node()
}

function adviceFor(output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network|proxy/i.test(output)) {
    return 'hint: the package registry cannot be reached. Check the network, a proxy, and `npm config get registry`; then run the command again.'
  }
  if (/EACCES|EPERM|EROFS/.test(output))
    return 'hint: this user has no write permission on the project folder: change its owner, or run as its owner.'
  if (/ENOSPC/.test(output)) return 'hint: the disk is full: free some space and try again.'
  return 'hint: run `npm install` to see its full output.'
}

/** The Node that the project runs on: the installed one, or the running one where none is published for this platform. */
function node() {
  const installed = join(BIN, 'node')
  if (existsSync(installed)) return installed
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > MINIMAL_NODE[0] || (major === MINIMAL_NODE[0] && minor >= MINIMAL_NODE[1])) return process.execPath
  throw new Error(
    `no Node ${MINIMAL_NODE.join('.')} was installed for ${process.platform}-${process.arch}, and the running one is ${process.versions.node}.\n` +
      `hint: if optional dependencies are not installed or none is suitable, put Node ${MINIMAL_NODE.join('.')} or newer first in PATH.`,
  )
}

async function runOrExplain(program, args, complaint, output = 'pipe') {
  const result = await run(program, args, output)
  if (result.status !== 0) throw new Error([complaint, lastLines(result.output)].filter(Boolean).join('\n'))
}

/**
 * Runs a program. With `pipe` its output is kept for error messages, and a line from time to time shows
 * progress.
 */
function run(program, args, output) {
  return new Promise((resolve) => {
    const kept = []
    const child = spawn(program, args, { cwd: ROOT, env: environment(), stdio: ['ignore', output, output] })
    const heartbeat = setInterval(() => output === 'pipe' && say('... still running'), HEARTBEAT_SECONDS * 1000)
    const finish = (result) => {
      clearInterval(heartbeat)
      resolve({ output: Buffer.concat(kept).toString(), ...result })
    }
    child.stdout?.on('data', (chunk) => kept.push(chunk))
    child.stderr?.on('data', (chunk) => kept.push(chunk))
    child.on('error', (error) => finish({ status: 1, error }))
    child.on('close', (status) => finish({ status: status ?? 1 }))
  })
}

/** The tools' Node first in PATH; a workspace that `npm -w` selected must not narrow the install. */
function environment() {
  const env = { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}` }
  for (const name of Object.keys(env))
    if (/^npm_config_(workspaces?|include_workspace_root|prefix|global)$/i.test(name)) delete env[name]
  return env
}

function lastLines(text) {
  return text.trim().split('\n').slice(-20).join('\n')
}

function say(text) {
  console.log(`bootstrap: ${((Date.now() - started) / 1000).toFixed(1).padStart(5)} s  ${text}`)
}
