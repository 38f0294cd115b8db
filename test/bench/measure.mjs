import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Contestant } from './contestant.mjs'
import { nginx } from './servers/nginx.mjs'
import { phpFpm } from './servers/php-fpm.mjs'
import { redis } from './servers/redis.mjs'
import { slapd } from './servers/slapd.mjs'
import { writeDocuments } from './site.mjs'
import { ratios } from './statistics.mjs'

/**
 * Measures all servers with the configuration of a scenario. Rounds alternate between them, so that other
 * activity of the machine affects all of them.
 * @param {{ rounds: number, seconds: number, connections: number, cores: { server: number, client: number },
 *   scratch: string, signal: AbortSignal, progress: (text: string) => void }} run
 * @returns figures by server, null for one that does not support the scenario; the ratios of ours to the
 *   others'; and the same for the baseline
 * @throws {Error} if a server does not start or gives a wrong answer
 */
export async function measure(scenario, servers, run) {
  const connections = Math.min(run.connections, scenario.connections ?? run.connections)
  const seconds = Math.min(run.seconds, scenario.seconds ?? run.seconds)
  const shape = { cores: run.cores, connections, seconds, signal: run.signal }
  const folder = join(run.scratch, scenario.name)
  const field = []
  const backends = []
  try {
    run.progress('starting')
    if (scenario.backend !== undefined) backends.push(await startBackend(scenario, folder, run))
    await lineUp(field, scenario, servers, folder, { ...run, backend: backends[0]?.port })
    for (const contestant of field) await contestant.warmUp(shape)
    for (let round = 0; round < run.rounds; round++) {
      run.progress(`round ${round + 1} of ${run.rounds}`)
      for (const contestant of rotated(field, round)) await contestant.measure(shape)
    }
    const figures = figuresOf(field, scenario, servers)
    const { name, title, baseline } = scenario
    const about = { name, title, connections, seconds, servers: figures, ratios: ratiosToOthers(figures) }
    return baseline === undefined
      ? about
      : { ...about, baseline: compareWith(baseline, figures, figuresOf(field, baseline, servers)) }
  } finally {
    await Promise.all([...field, ...backends].map((contestant) => contestant.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The name of the program that a scenario needs beside the servers, if it is not installed. */
export function missingBackend({ backend }) {
  return backend === undefined || BACKENDS[backend].isInstalled() ? undefined : backend
}

const BACKENDS = { nginx, 'php-fpm': phpFpm, redis, slapd }

/** A server with the files of the scenario. It runs on the client's core, so that its work is not measured. */
function startBackend(scenario, folder, { cores, signal }) {
  const docs = writeDocuments(folder, scenario)
  const server = BACKENDS[scenario.backend]
  const plain = { name: 'backend', nginx: { location: [] }, outside: server.files }
  return Contestant.start(server, plain, { root: join(folder, 'backend'), docs, core: cores.client, signal })
}

async function lineUp(field, scenario, servers, folder, { cores, backend, signal }) {
  const docs = writeDocuments(folder, scenario)
  for (const variant of [scenario, scenario.baseline ?? []].flat()) {
    for (const server of servers) {
      const root = join(folder, variant.name, server.name)
      const contestant = await Contestant.start(server, variant, { root, docs, core: cores.server, backend, signal })
      if (contestant === undefined) continue
      field.push(contestant)
      if (!(await contestant.isFit(signal))) await field.pop().stop()
    }
  }
}

/** Rotates the order, so that no server always follows the same one. */
function rotated(field, round) {
  const first = round % field.length
  return [...field.slice(first), ...field.slice(0, first)]
}

function figuresOf(field, scenario, servers) {
  const figures = ({ name }) => field.find((each) => each.server === name && each.scenario === scenario)?.figures() ?? null
  return Object.fromEntries(servers.map((server) => [server.name, figures(server)]))
}

function ratiosToOthers({ gatewright, ...others }) {
  const pairs = Object.entries(others).filter(([, theirs]) => theirs !== null && gatewright)
  return Object.fromEntries(pairs.map(([name, theirs]) => [name, ratios(gatewright, theirs)]))
}

function compareWith(baseline, figures, base) {
  const pairs = Object.entries(figures).filter(([name, own]) => own !== null && base[name] !== null)
  return {
    name: baseline.name,
    servers: base,
    ratios: Object.fromEntries(pairs.map(([name, own]) => [name, ratios(own, base[name])])),
  }
}
