#!/usr/bin/env node
// npm run build [-- OPTIONS] [NAMES]: builds every package with its own build command, and modules with the module kit, then
// stages the server root dist/.
//   --changed   only workspaces that changed, or depend on changed ones, since their last build
//   --fast      no type declarations (the default makes those of packages/api, which module authors compile
//               against)
//   NAMES       only these workspaces: mod_status, @gatewright/core ...
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildModuleHere, isPlainModule } from './build-module.mjs'
import { ROOT, readStamp, writeStamp } from './inputs.cjs'
import { stage } from './stage.mjs'
import { workspaces } from './workspaces.mjs'

const AT_A_TIME = 2
const WITH_DECLARATIONS = ['@gatewright/api']

const { values: options, positionals: names } = parseArgs({
  options: { changed: { type: 'boolean' }, fast: { type: 'boolean' } },
  allowPositionals: true,
})
const started = performance.now()
const work = choose(workspaces())
let finished = 0
const failures = []

await inDependencyOrder(work, buildOne)
if (failures.length > 0) {
  for (const { name, output } of failures) console.error(`\n--- ${name} could not be built ---\n${output.trim()}`)
  console.error(`\nbuild: failed: ${failures.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}
await stage(join(ROOT, 'dist'))
console.log(`build: ${work.length} built and dist/ staged in ${seconds(started)} s`)

function choose(all) {
  const unknown = names.filter((name) => !all.some((each) => each.name === name))
  if (unknown.length > 0) {
    console.error(`build: no such package or module with sources: ${unknown.join(', ')}`)
    process.exit(1)
  }
  const chosen = names.length > 0 ? all.filter(({ name }) => names.includes(name)) : all
  return options.changed ? chosen.filter((each) => readStamp(stampName(each)) !== stampText(each)) : chosen
}

/**
 * Runs `act` for each workspace, several at a time, after all workspaces that it depends on. Workspaces that
 * depend on a failed one are skipped.
 */
async function inDependencyOrder(all, act) {
  const waiting = new Set(all)
  const running = new Map()
  const failed = new Set()
  while (waiting.size + running.size > 0) {
    for (const each of waiting) {
      if (running.size >= AT_A_TIME) break
      const needed = all.filter(({ name }) => each.needs.includes(name))
      if (needed.some((need) => failed.has(need))) {
        waiting.delete(each)
        failed.add(each)
        failures.push({ name: each.name, output: `not tried: it needs ${each.needs.join(', ')}` })
      } else if (!needed.some((need) => waiting.has(need) || running.has(need))) {
        waiting.delete(each)
        running.set(
          each,
          act(each).then((good) => ({ each, good })),
        )
      }
    }
    if (running.size === 0) continue
    const { each, good } = await Promise.race(running.values())
    running.delete(each)
    if (!good) failed.add(each)
  }
}

async function buildOne(workspace) {
  const began = performance.now()
  const { status, output } = await (isPlainModule(workspace) ? buildModuleHere(workspace) : runScript(workspace))
  finished++
  const count = `[${String(finished).padStart(2)}/${work.length}]`
  console.log(`${count} ${workspace.name.padEnd(28)} ${status === 0 ? `${seconds(began)} s` : 'FAILED'}`)
  if (status === 0) writeStamp(stampName(workspace), stampText(workspace))
  else failures.push({ name: workspace.name, output })
  return status === 0
}

/** Runs the workspace's own build command without npm, which would need half a second to start. */
function runScript({ name, folder, command }) {
  const cwd = join(ROOT, folder)
  const bin = [join(cwd, 'node_modules/.bin'), join(ROOT, 'node_modules/.bin')].join(delimiter)
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
  return new Promise((resolve) => {
    const chunks = []
    const child = spawn('sh', ['-c', hasDeclarations(name) ? command : `${command} --no-dts`], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => resolve({ status: 1, output: error.message }))
    child.on('close', (status) => resolve({ status: status ?? 1, output: Buffer.concat(chunks).toString() }))
  })
}

function hasDeclarations(name) {
  return !options.fast && WITH_DECLARATIONS.includes(name)
}

function stampName({ folder }) {
  return `built-${folder.replace('/', '-')}`
}

/** A build without declarations does not replace one with them. */
function stampText({ name, hash }) {
  return `${hasDeclarations(name) ? 'dts ' : ''}${hash}`
}

function seconds(since) {
  return ((performance.now() - since) / 1000).toFixed(1)
}
