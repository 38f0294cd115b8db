import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { percentile } from './statistics.mjs'

/** Requests per second that are assumed of a server that has not answered any. */
const UNKNOWN_RATE = 200

/** Seconds after which a run is given up. */
const PATIENCE = 120

/**
 * Loads a server by HTTP/2 from one core. h2load 1.52 does not always end at the end of a time, so it gets a number of
 * requests.
 * @param {string} url
 * @param {{ core: number, connections: number, streams: number, seconds: number, rate?: number,
 *   headers: Record<string, string>, log: string, signal: AbortSignal }} options `rate` is the last number of requests
 *   per second; `log` is a file that may be written
 * @returns {Promise<ReturnType<typeof parseH2load>>}
 */
export function load(url, { core, connections, streams, seconds, rate = UNKNOWN_RATE, headers, log, signal }) {
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const requests = Math.max(connections * streams, Math.round(rate * seconds))
  const shape = ['-t', '1', '-c', `${connections}`, '-m', `${streams}`, '-n', `${requests}`, `--log-file=${log}`]
  rmSync(log, { force: true })
  return new Promise((resolve, reject) => {
    const child = spawn('taskset', ['-c', `${core}`, 'h2load', ...shape, ...fields, url], {
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      timeout: PATIENCE * 1000,
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (said += chunk))
    child.on('error', reject)
    child.on('close', () => {
      try {
        resolve(parseH2load(said, readFileSync(log, 'latin1')))
      } catch (error) {
        reject(error)
      }
    })
  })
}

/**
 * Parses the output of h2load 1.52 and its log.
 * @param {string} text its output
 * @param {string} log a line for each response: its start, status, and duration in microseconds
 * @returns {ReturnType<typeof import('./wrk.mjs').parseWrk>}
 * @throws {Error} if the output is not that of a finished run
 */
export function parseH2load(text, log) {
  const time = text.match(/^finished in ([\d.]+)(us|ms|s), /m)
  const requests = text.match(/^requests: .* started, (\d+) done, .* (\d+) errored, (\d+) timeout/m)
  const codes = text.match(/^status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx/m)
  if ([time, requests, codes].includes(null)) throw new Error(`h2load did not finish: ${text.trim()}`)
  const done = Number(requests[1])
  const milliseconds = log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Number(line.split('\t')[2]) / 1000)
    .sort((a, b) => a - b)
  return {
    requests: done,
    requestsPerSecond: done / (Number(time[1]) * SECONDS[time[2]]),
    p50Milliseconds: percentile(milliseconds, 50),
    p99Milliseconds: percentile(milliseconds, 99),
    failed: Number(codes[3]) + Number(codes[4]),
    socketErrors: Number(requests[2]) + Number(requests[3]),
  }
}

const SECONDS = { us: 1e-6, ms: 0.001, s: 1 }
