import { spawn } from 'node:child_process'
import { join } from 'node:path'

const PUT = join(import.meta.dirname, 'put.lua')

/**
 * Loads a server from one core.
 * @param {string} url
 * @param {{ core: number, connections: number, seconds: number, headers: Record<string, string>,
 *   method?: string, size?: number, signal: AbortSignal }} options `size`: bytes of the body
 * @returns {Promise<ReturnType<typeof parseWrk>>}
 */
export function load(url, { core, connections, seconds, headers, method, size, signal }) {
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const shape = ['-t', '1', '-c', `${connections}`, '-d', `${seconds}s`, '--timeout', '10s', '--latency']
  return new Promise((resolve, reject) => {
    const script = method === undefined ? [] : ['-s', PUT]
    const child = spawn('taskset', ['-c', `${core}`, 'wrk', ...shape, ...script, ...fields, url], {
      env: { ...process.env, BENCH_METHOD: method, BENCH_SIZE: `${size}` },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (said += chunk))
    child.on('error', reject)
    child.on('close', () => {
      try {
        resolve(parseWrk(said))
      } catch (error) {
        reject(error)
      }
    })
  })
}

/**
 * Parses the output of wrk 4.
 * @param {string} text its output with --latency
 * @returns {{ requests: number, requestsPerSecond: number, p50Milliseconds: number, p99Milliseconds: number,
 *   failed: number, socketErrors: number }} `failed` are answers with a status of 400 and above,
 *   `socketErrors` connections and requests that broke or timed out
 * @throws {Error} if the output is not that of a finished run
 */
export function parseWrk(text) {
  const requests = text.match(/^\s*(\d+) requests in /m)
  const rate = text.match(/^Requests\/sec:\s+([\d.]+)/m)
  if (requests === null || rate === null) throw new Error(`wrk did not finish: ${text.trim()}`)
  const errors = text.match(/Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/)?.slice(1) ?? []
  return {
    requests: Number(requests[1]),
    requestsPerSecond: Number(rate[1]),
    p50Milliseconds: percentile(text, 50),
    p99Milliseconds: percentile(text, 99),
    failed: Number(text.match(/Non-2xx or 3xx responses: (\d+)/)?.[1] ?? 0),
    socketErrors: errors.reduce((sum, count) => sum + Number(count), 0),
  }
}

const MILLISECONDS = { us: 0.001, ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

function percentile(text, percent) {
  const found = text.match(new RegExp(`^\\s*${percent}%\\s+([\\d.]+)(us|ms|s|m|h)\\s*$`, 'm'))
  if (found === null) throw new Error(`wrk did not tell the ${percent}th percentile: ${text.trim()}`)
  return Number(found[1]) * MILLISECONDS[found[2]]
}
