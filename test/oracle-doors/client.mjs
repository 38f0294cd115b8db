// One request over a connection of its own, so that the client's port names it in the logs.
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseResponses } from '../conformance/lib/client.mjs'

const TIMEOUT = 15_000
const AT_A_TIME = 6
/** The field by which log lines are found where a proxy's field has replaced the address and port of the client. */
export const ID_FIELD = 'X-Id'

/** The bytes of a request; `id` is its number. */
export function requestBytes({ method, target, version, fields, body }, id) {
  if (version === '0.9') return Buffer.from(`${method} ${target}\r\n`, 'latin1')
  const all = [...fields, [ID_FIELD, String(id)], ...(body === undefined ? [] : [['Content-Length', String(body.length)]])]
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${target} HTTP/${version}\r\n${lines.join('')}\r\n${body ?? ''}`, 'latin1')
}

/**
 * Sends the requests of one host, a few at a time, and resolves to a list with one `{ response, port, id }` per request;
 * `{ failure }` for a missing response. With `giveUp` it stops at the first failure, and resolves to null.
 * @param used ports of clients that this run of the server has seen; the log lines of a reused port would be ambiguous
 */
export async function askAll(requests, { ports, firstId, giveUp, used }) {
  const answers = []
  const queue = requests.entries()
  let lost = false
  const worker = async () => {
    for (const [index, request] of queue) {
      answers[index] = await ask(request, ports[request.port], firstId + index, used)
      if (answers[index].response.failure !== undefined && giveUp) lost = true
      if (lost) return
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, worker))
  return lost ? null : answers
}

async function ask(request, port, id, used) {
  const socket = await connect(request, port, used)
  const { localPort } = socket
  const response = await exchange(socket, request, requestBytes(request, id))
  socket.destroy()
  return { response, port: localPort, id }
}

async function connect({ to, from }, port, used) {
  const deadline = performance.now() + TIMEOUT
  for (;;) {
    try {
      const socket = await open(to, from, port)
      if (!used.has(socket.localPort)) {
        used.add(socket.localPort)
        return socket
      }
      socket.destroy()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(50)
    }
  }
}

function open(host, localAddress, port) {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port, localAddress, noDelay: true })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      // A reset shows in missing bytes.
      socket.on('error', () => {})
      resolve(socket)
    })
  })
}

function exchange(socket, { method, version }, bytes) {
  const { promise, resolve } = Promise.withResolvers()
  const timer = setTimeout(() => resolve({ failure: 'no answer in time' }), TIMEOUT)
  const chunks = []
  const response = () => parseResponses(Buffer.concat(chunks), [method]).find(({ status }) => status >= 200 || status === 0)
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    const sofar = version === '0.9' ? undefined : response()
    if (sofar?.complete) resolve(sofar)
  })
  const ended = () => resolve(response() ?? { failure: 'closed without an answer' })
  socket.on('end', ended)
  socket.on('close', ended)
  socket.write(bytes)
  return promise.finally(() => clearTimeout(timer))
}
