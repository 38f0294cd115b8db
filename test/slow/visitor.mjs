import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import { parentPort, Worker, workerData } from 'node:worker_threads'

/** A visitor gives up after this many ms. */
const PATIENCE_MS = 10_000
const REQUEST = 'GET /small.html HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
const LENGTH = 1024

/**
 * An ordinary client, in a thread of its own: one request after the other, each on a new connection, as those who come to a site make them.
 * @returns {Promise<{ p50: number, p99: number, requests: number, failed: number }>} times in ms from the connection to the last byte; those that failed count as the
 * time they took
 */
export function visit(port, seconds) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { visitor: { port, seconds } } })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

async function visits({ port, seconds }) {
  const times = []
  let failed = 0
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    const began = performance.now()
    if (!(await isAnswered(port))) failed++
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
  return { p50: at(0.5), p99: at(0.99), requests: times.length, failed }
}

function isAnswered(port) {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    let text = ''
    socket.setTimeout(PATIENCE_MS, () => socket.destroy())
    socket.once('connect', () => socket.write(REQUEST))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.once('close', () => resolve(text.startsWith('HTTP/1.1 200 ') && text.length - text.indexOf('\r\n\r\n') - 4 === LENGTH))
  })
}

if (workerData?.visitor !== undefined) parentPort.postMessage(await visits(workerData.visitor))
