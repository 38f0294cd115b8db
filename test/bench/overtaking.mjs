import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { percentile } from './statistics.mjs'

const PROGRAM = join(import.meta.dirname, 'overtaking-program.mjs')

/**
 * Asks for something small again and again while something large is sent on the same connection.
 * @param {string} url of what is large
 * @param {{ core: number, seconds: number, meanwhile: string, signal: AbortSignal }} options `meanwhile` is the path of
 *   what is small
 * @returns {Promise<ReturnType<typeof import('./wrk.mjs').parseWrk>>} the times are those from a small request to the
 *   first byte of its response
 */
export function load(url, { core, seconds, meanwhile, signal }) {
  return new Promise((resolve, reject) => {
    const child = spawn('taskset', ['-c', `${core}`, process.execPath, PROGRAM, url, meanwhile, `${seconds}`], {
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    })
    let said = ''
    let complaint = ''
    child.stdout.setEncoding('utf8').on('data', (chunk) => (said += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk) => (complaint += chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`the client has failed: ${complaint.trim()}`))
      const { times, elapsed } = JSON.parse(said)
      const sorted = times.toSorted((a, b) => a - b)
      resolve({
        requests: times.length,
        requestsPerSecond: times.length / elapsed,
        p50Milliseconds: percentile(sorted, 50),
        p99Milliseconds: percentile(sorted, 99),
        failed: 0,
        socketErrors: 0,
      })
    })
  })
}
