#!/usr/bin/env node
// npm run neighbours [-- OPTIONS]: one worker; one expensive request in a tenant's folder; a second client
// that requests another file every 10 ms. The result is the longest wait of the second client. A row above
// the limit is marked; the command fails only if a measurement fails.
import { rmSync } from 'node:fs'
import { pickCores } from '../bench/cores.mjs'
import { Progress } from '../bench/progress.mjs'
import { apache2 } from '../bench/servers/apache2.mjs'
import { gatewright } from '../bench/servers/gatewright.mjs'
import { scratchFolder } from '../bench/site.mjs'
import { measureRow } from './measure.mjs'
import { parseOptions, USAGE } from './options.mjs'
import { ROWS } from './rows.mjs'
import { heading, rowLine, summary } from './table.mjs'

const SERVERS = [gatewright, apache2]
/** The exit status in shells for a program that SIGINT ended. */
const INTERRUPTED = 130
/** No disturbance from outside causes such a wait, so it is not repeated. */
const HOPELESS_MS = 5000

const interruption = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => interruption.abort())

try {
  const options = parseOptions(process.argv.slice(2), names(ROWS), names(SERVERS))
  if (options.help) console.log(USAGE)
  else if (options.list) console.log(ROWS.map(({ name, title }) => `${name.padEnd(18)}${title}`).join('\n'))
  else await measureAll(options)
} catch (error) {
  console.error(`neighbours: ${interruption.signal.aborted ? 'interrupted' : error.message}`)
  process.exitCode = interruption.signal.aborted ? INTERRUPTED : 1
}

async function measureAll({ only, servers: wanted, json, limit, ...options }) {
  const servers = SERVERS.filter((server) => wanted.includes(server.name) && server.isInstalled())
  for (const name of wanted.filter((each) => !servers.some((server) => server.name === each)))
    console.error(`neighbours: without ${name}, which is not installed`)
  const progress = new Progress(process.stderr, 'neighbours')
  const scratch = scratchFolder()
  const run = { ...options, scratch, core: pickCores().server, limit, signal: interruption.signal }
  const results = []
  try {
    if (!json) console.log(heading(names(servers)))
    for (const row of ROWS.filter(({ name }) => only.includes(name))) {
      const figures = {}
      for (const server of servers)
        figures[server.name] = await leastDisturbed(row, server, run, (text) => progress.tell(row.name, text))
      const red = (figures.gatewright?.longestMilliseconds ?? 0) > limit
      const result = { name: row.name, title: row.title, red, servers: figures }
      results.push(result)
      progress.clear()
      if (!json) console.log(rowLine(result))
    }
  } finally {
    progress.clear()
    rmSync(scratch, { recursive: true, force: true })
  }
  console.log(json ? JSON.stringify({ limitMilliseconds: limit, rows: results }, null, 2) : summary(results, limit))
}

/** The attempt with the shortest wait, because other activity of the machine only adds to it. */
async function leastDisturbed(row, server, run, tell) {
  let best
  for (let attempt = 1; attempt <= run.attempts; attempt++) {
    tell(`${server.name}${attempt > 1 ? `, attempt ${attempt}` : ''}`)
    const figures = await measureRow(row, server, run).catch((error) => {
      throw new Error(`${row.name}: ${server.name}: ${error.message}`, { cause: error })
    })
    if (best === undefined || figures.longestMilliseconds < best.longestMilliseconds) best = figures
    if (best.longestMilliseconds <= run.limit || best.longestMilliseconds > HOPELESS_MS) break
  }
  return best
}

function names(list) {
  return list.map(({ name }) => name)
}
