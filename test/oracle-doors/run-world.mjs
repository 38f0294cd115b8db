// Runs one world on both servers and reports the differences.
import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../fixtures/free-port.ts'
import { differencesOf, linesOf, observed, readLogs } from './compare.mjs'
import { removeFiles, writeFiles } from './layout.mjs'
import { check, serve } from './servers.mjs'

/**
 * Resolves to `{ requests, heavy, crashed, refused, differing }`: how many requests were compared and how many were set aside as too much work, the
 * numbers of the hosts on which httpd crashed and that both refuse at start, and a list of `{ host, request, differences }`. A host that only one server refuses differs with request -1.
 */
export async function runWorld(world, options) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(world, options)
    } catch (error) {
      // Another program has taken a port since it was chosen: on all addresses, or on the one that is looked at.
      if (attempt === 3 || !/in use by another program|Address already in use|ECONNREFUSED/.test(String(error))) throw error
      console.error(`a world is run again: ${error}`)
    }
  }
}

async function runOnce(world, { sides, keep = false }) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'doors-')))
  const running = new Set()
  const clean = () => {
    for (const pid of running) killGroup(pid)
    if (keep) console.error(`kept ${base}`)
    else removeFiles(base)
  }
  process.once('exit', clean)
  try {
    const place = { base, ports: await twoPorts() }
    writeFiles(world, place)
    return await compareWorld(world, place, { sides, running })
  } finally {
    process.off('exit', clean)
    clean()
  }
}

async function compareWorld(world, place, { sides, running }) {
  const [httpd, ours] = sides
  // httpd checks a configuration quickly; ours is checked only if it does not start.
  let sieve = await startable(world, world, place, sides, httpd)
  if (sieve.kept.hosts.length === 0)
    return { requests: 0, crashed: [], heavy: 0, refused: sieve.refused, differing: sieve.differing }
  const serving = async () => {
    const expected = await serve(httpd, sieve.kept, place, { running })
    const lost = sieve.kept.hosts.flatMap((_, index) => (expected.answers[index] == null ? [index] : []))
    return { expected, lost, got: await serve(ours, sieve.kept, place, { running, skip: new Set(lost) }) }
  }
  let served
  try {
    served = await serving()
  } catch (error) {
    const second = await startable(world, sieve.kept, place, sides, ours)
    if (second.kept === sieve.kept) throw error
    sieve = {
      kept: second.kept,
      refused: [...sieve.refused, ...second.refused],
      differing: [...sieve.differing, ...second.differing],
    }
    served = await serving()
  }
  const { requests, differing, heavy } = compareAnswers(world, sieve.kept, served)
  const crashed = served.lost.map((index) => world.hosts.indexOf(sieve.kept.hosts[index]))
  return { requests, crashed, heavy, refused: sieve.refused, differing: [...sieve.differing, ...differing] }
}

/** Requests for which httpd wrote more lines than anybody reads are set aside: the limits that end such work differ. */
const MOST_LINES = 40

function compareAnswers(world, kept, { expected, got, lost }) {
  const [expectedLogs, gotLogs] = [readLogs(expected), readLogs(got)]
  const out = { requests: 0, heavy: 0, differing: [] }
  for (const [index, host] of kept.hosts.entries()) {
    if (lost.includes(index)) continue
    const wanted = observed(expected.answers[index], expectedLogs)
    const found = observed(got.answers[index], gotLogs)
    for (const [at, one] of wanted.entries()) {
      if (one.error.length > MOST_LINES) {
        out.heavy++
        continue
      }
      out.requests++
      const differences = differencesOf(one, found[at])
      if (found[at].isMissing) differences.push({ field: 'lines of the server', expected: '', got: linesOfServer(got) })
      if (differences.length > 0) out.differing.push({ host: world.hosts.indexOf(host), request: at, differences })
    }
  }
  return out
}

/** A server's log lines about itself, which may explain a missing answer. */
function linesOfServer({ error }) {
  const last = []
  for (const line of linesOf(error)) {
    if (/^[\d-]*\|/.test(line)) continue
    last.push(line)
    if (last.length > 20) last.shift()
  }
  return last.join('\n')
}

/**
 * Omits the hosts that `side` rejects. If both reject a host with the same message, it is not a difference.
 */
async function startable(world, before, place, sides, side) {
  const refused = []
  const differing = []
  let kept = before
  for (;;) {
    const answer = await check(side, kept, place)
    if (answer.exit === 0) return { kept, refused, differing }
    if (answer.owner < 0) return refusedAsWhole(world, kept, place, sides, answer)
    const host = kept.hosts[answer.owner]
    const index = world.hosts.indexOf(host)
    const alone = []
    for (const each of sides) alone.push(await check(each, { ...kept, hosts: [host] }, place))
    const [expected, got] = alone.map(({ text }) => text)
    if (expected === got) refused.push(index)
    else differing.push({ host: index, request: -1, differences: [{ field: 'start', expected, got }] })
    kept = { ...kept, hosts: kept.hosts.filter((each) => each !== host) }
  }
}

/**
 * The common part of all hosts is rejected. If the other server does not reject it with the same message,
 * each host differs.
 */
async function refusedAsWhole(world, kept, place, sides, { text }) {
  const texts = []
  for (const each of sides) texts.push((await check(each, kept, place)).text)
  const [expected, got] = texts
  const indexes = kept.hosts.map((host) => world.hosts.indexOf(host))
  const none = { ...kept, hosts: [] }
  if (expected === text && expected === got) return { kept: none, refused: indexes, differing: [] }
  const differing = indexes.map((host) => ({ host, request: -1, differences: [{ field: 'start', expected, got }] }))
  return { kept: none, refused: [], differing }
}

/** A port that is free again may be returned twice. */
async function twoPorts() {
  const P = await freePort()
  for (;;) {
    const Q = await freePort()
    if (Q !== P) return { P, Q }
  }
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
