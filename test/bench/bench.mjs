#!/usr/bin/env node
// npm run bench [-- OPTIONS]: compares this server, Apache httpd and nginx with the same site, rules and
// logs. Each has one worker on one core; the client, wrk or h2load,
// has another core. Compare the ratios, because the absolute figures depend on the machine.
import { rmSync } from 'node:fs'
import { cpus } from 'node:os'
import { pickCores } from './cores.mjs'
import { compareRatios, GUARDED, guardedRatios, record, recordedRatios } from './guard.mjs'
import { measure, missingBackend } from './measure.mjs'
import { parseOptions, USAGE } from './options.mjs'
import { writePage } from './page.mjs'
import { Progress } from './progress.mjs'
import { SCENARIOS } from './scenarios.mjs'
import { apache2 } from './servers/apache2.mjs'
import { bareNode, bareVariants } from './servers/bare-node.mjs'
import { caddy } from './servers/caddy.mjs'
import { gatewright } from './servers/gatewright.mjs'
import { haproxy } from './servers/haproxy.mjs'
import { lighttpd } from './servers/lighttpd.mjs'
import { nginx } from './servers/nginx.mjs'
import { isInstalled } from './servers/programs.mjs'
import { scratchFolder } from './site.mjs'
import { scenarioTable, summaryTable } from './table.mjs'

const USUAL = [gatewright, apache2, nginx, bareNode]
const SERVERS = [...USUAL, caddy, lighttpd, haproxy, ...bareVariants]
/** The exit status in shells for a program that SIGINT ended. */
const INTERRUPTED = 130

const interruption = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => interruption.abort())

try {
  const options = parseOptions(process.argv.slice(2), names(SCENARIOS), names(SERVERS), names(USUAL))
  if (options.help) console.log(USAGE)
  else if (options.list) console.log(listed(SCENARIOS))
  else if (options.guard) await guard({ ...options, only: GUARDED.scenarios, servers: GUARDED.servers })
  else await bench(options)
} catch (error) {
  if (interruption.signal.aborted) {
    console.error('bench: interrupted')
    process.exitCode = INTERRUPTED
  } else {
    console.error(`bench: ${error.message}`)
    process.exitCode = 1
  }
}

async function bench(options) {
  const { results, servers } = await measured(options)
  const report = document(results, servers, options)
  const summary = options.json ? JSON.stringify(report, null, 2) : summaryTable(results)
  if (summary !== undefined) console.log(summary)
  if (options.page) writePage(report)
}

/** Compares our CPU time with that of bare Node, in the same run: what the machine does affects both. */
async function guard(options) {
  const ratios = guardedRatios((await measured(options)).results)
  if (options.record) return record(ratios)
  const { text, isSlower } = compareRatios(ratios, recordedRatios())
  console.log(text)
  if (isSlower) process.exitCode = 1
}

async function measured(options) {
  const chosen = SCENARIOS.filter(({ name }) => options.only.includes(name))
  requireTools(chosen)
  const cores = pickCores()
  const servers = installed(options.servers)
  const progress = new Progress(process.stderr)
  const scratch = scratchFolder()
  const results = []
  try {
    for (const scenario of chosen) {
      const missing = missingBackend(scenario)
      if (missing !== undefined) {
        console.error(`bench: without ${scenario.name}, for which ${missing} is not installed`)
        continue
      }
      const tell = (text) => progress.tell(scenario.name, text)
      const result = await measure(scenario, servers, { ...options, cores, scratch, signal: interruption.signal, progress: tell })
      results.push(result)
      progress.clear()
      if (!options.json) console.log(scenarioTable(result))
    }
  } finally {
    progress.clear()
    rmSync(scratch, { recursive: true, force: true })
  }
  return { results, servers }
}

function requireTools(scenarios) {
  const clients = scenarios.map(({ http2 }) => (http2 === undefined ? 'wrk' : 'h2load'))
  const missing = ['taskset', ...new Set(clients)].find((program) => !isInstalled(program))
  if (missing !== undefined)
    throw new Error(`${missing} is needed and not installed\nhint: on Debian: apt-get install wrk nghttp2-client util-linux`)
}

function installed(wanted) {
  const servers = SERVERS.filter(({ name }) => wanted.includes(name))
  for (const { name } of servers.filter((server) => !server.isInstalled()))
    console.error(`bench: without ${name}, which is not installed`)
  const found = servers.filter((server) => server.isInstalled())
  if (found.length === 0) throw new Error('there is no server to measure\nhint: `npm run build` builds this one')
  return found
}

/** The output of --list. */
function listed(scenarios) {
  const width = Math.max(...scenarios.map(({ name }) => name.length)) + 2
  return scenarios.map(({ name, title }) => `${name.padEnd(width)}${title}`).join('\n')
}

/** The output of --json. */
function document(results, servers, { rounds }) {
  const machine = { processor: cpus()[0].model, cores: cpus().length, node: process.version }
  const versions = Object.fromEntries(servers.map((server) => [server.name, server.version()]))
  return { machine, versions, rounds, scenarios: results }
}

function names(list) {
  return list.map(({ name }) => name)
}
