#!/usr/bin/env node
// npm run bench [-- OPTIONS]: this server, Apache httpd and nginx side by side, with the same site, rules and logs. Each has one worker on one
// core, the client, wrk, another core. Compare the ratios; the absolute figures belong to the machine.
import { rmSync } from 'node:fs'
import { cpus } from 'node:os'
import { pickCores } from './cores.mjs'
import { measure } from './measure.mjs'
import { parseOptions, USAGE } from './options.mjs'
import { SCENARIOS } from './scenarios.mjs'
import { apache2 } from './servers/apache2.mjs'
import { gatewright } from './servers/gatewright.mjs'
import { nginx } from './servers/nginx.mjs'
import { isInstalled } from './servers/programs.mjs'
import { scratchFolder } from './site.mjs'
import { scenarioTable, summaryTable } from './table.mjs'

const SERVERS = [gatewright, apache2, nginx]
const INTERRUPTED = 130

const interruption = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => interruption.abort())

try {
  const options = parseOptions(process.argv.slice(2), names(SCENARIOS), names(SERVERS))
  if (options.help) console.log(USAGE)
  else if (options.list) for (const { name, title } of SCENARIOS) console.log(`${name.padEnd(18)}${title}`)
  else await bench(options)
} catch (error) {
  if (interruption.signal.aborted) process.exitCode = INTERRUPTED
  else {
    console.error(`bench: ${error.message}`)
    process.exitCode = 1
  }
}

async function bench(options) {
  for (const program of ['wrk', 'taskset'])
    if (!isInstalled(program))
      throw new Error(`${program} is needed and not installed\nhint: on Debian: apt-get install wrk util-linux`)
  const servers = installed(options.servers)
  const scratch = scratchFolder()
  const results = []
  try {
    const run = { ...options, cores: pickCores(), scratch, signal: interruption.signal }
    for (const scenario of SCENARIOS.filter(({ name }) => options.only.includes(name))) {
      const progress = (text) => console.error(`bench: ${scenario.name}: ${text}`)
      const result = await measure(scenario, servers, { ...run, progress })
      results.push(result)
      if (!options.json) console.log(scenarioTable(result))
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  report(results, options)
}

function installed(wanted) {
  const servers = SERVERS.filter(({ name }) => wanted.includes(name))
  for (const { name } of servers.filter((server) => !server.isInstalled()))
    console.error(`bench: without ${name}, which is not installed`)
  const found = servers.filter((server) => server.isInstalled())
  if (found.length === 0) throw new Error('there is no server to measure\nhint: `npm run build` builds ours')
  return found
}

function report(results, { json, rounds }) {
  if (json) {
    const machine = { processor: cpus()[0].model, cores: cpus().length, node: process.version }
    console.log(JSON.stringify({ machine, rounds, scenarios: results }, null, 2))
    return
  }
  const summary = results.length > 1 ? summaryTable(results) : undefined
  if (summary !== undefined) console.log(summary)
}

function names(list) {
  return list.map(({ name }) => name)
}
