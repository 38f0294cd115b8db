// Requests of one client over kept-alive connections, in order, each sent when the answer before has come.
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseResponses } from '../conformance/lib/client.mjs'

const TIMEOUT = 20_000

/**
 * Sends the requests and resolves to `{ responses, ports }`: the response to each (null if there is none), and the
 * client's ports in the order of use, by which log lines are found. If the server closes the connection, the remaining
 * requests are sent over a new one.
 * @param used ports of this address that other conversations had; the log lines of a reused port would be ambiguous
 */
export async function converse({ port, from, requests, used }) {
  const responses = []
  const ports = []
  let connection = null
  for (const request of requests) {
    connection ??= await connect(port, from, used)
    if (ports.at(-1) !== connection.localPort) ports.push(connection.localPort)
    let response = await exchange(connection, request)
    if (response === null && connection.ended && connection.isReused) {
      // It was closed while the request was in transit, as idle connections may be: no server has processed
      // the request.
      connection = await connect(port, from, used)
      ports.push(connection.localPort)
      response = await exchange(connection, request)
    }
    connection.isReused = true
    responses.push(response)
    if (response === null || !response.complete || connection.ended || /^close$/i.test(header(response, 'connection') ?? '')) {
      connection.socket.destroy()
      connection = null
    }
  }
  connection?.socket.destroy()
  return { responses, ports }
}

export function header(response, name) {
  return response.headers.find(([key]) => key.toLowerCase() === name)?.[1]
}

/** The request as it is sent. */
export function requestText({ method, target, headers, body }) {
  const fields = { Host: 'localhost', ...headers, ...(body !== undefined && { 'Content-Length': String(body.length) }) }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}

async function connect(port, from, used) {
  const deadline = performance.now() + TIMEOUT
  for (;;) {
    let socket
    try {
      socket = await open(port, from)
    } catch (error) {
      // A server may listen on one of its addresses a moment before the other.
      if (error.code !== 'ECONNREFUSED' || performance.now() > deadline) throw error
      await sleep(20)
      continue
    }
    const { localPort } = socket
    if (!used.has(localPort)) {
      used.add(localPort)
      const connection = { socket, localPort, chunks: [], ended: false, isReused: false, changed: () => {} }
      const end = () => {
        connection.ended = true
        connection.changed()
      }
      socket.on('data', (chunk) => {
        connection.chunks.push(chunk)
        connection.changed()
      })
      socket.on('end', end)
      socket.on('close', end)
      return connection
    }
    socket.destroy()
  }
}

function open(port, from) {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: from.includes(':') ? '::1' : '127.0.0.1', port, localAddress: from, noDelay: true })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      // A reset shows in missing bytes.
      socket.on('error', () => {})
      resolve(socket)
    })
  })
}

function exchange(connection, request) {
  const { promise, resolve } = Promise.withResolvers()
  const timer = setTimeout(() => resolve(null), TIMEOUT)
  connection.chunks = []
  connection.changed = () => {
    const response = parseResponses(Buffer.concat(connection.chunks), [request.method]).find(
      ({ status }) => status >= 200 || status === 0,
    )
    if (response?.complete || connection.ended) resolve(response ?? null)
  }
  connection.socket.write(requestText(request), 'latin1')
  if (connection.ended) resolve(null)
  return promise.finally(() => clearTimeout(timer))
}
