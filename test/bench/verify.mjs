import { request } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { request as secureRequest } from 'node:https'
import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'

/**
 * Sends each request that a server must answer correctly before its speed is measured.
 * @param {{ port: number, isSecure: boolean, isHttp2: boolean }} at
 * @param {readonly { path: string, headers: Record<string, string>, from?: string, status: number, length?:
 *   number, contains?: string, method?: string, size?: number }[]} visits `from` is the source address in the loopback network
 * @throws {Error} with the first difference
 */
export async function verify(at, visits, signal) {
  for (const visit of visits) {
    const { status, body } = await (at.isHttp2 ? askHttp2 : ask)(at, visit, signal)
    const about = `${visit.path} from ${visit.from ?? '127.0.0.1'}`
    if (status !== visit.status) throw new Error(`${about} is answered with ${status}, not ${visit.status}`)
    if (visit.length !== undefined && body.length !== visit.length)
      throw new Error(`${about} has ${body.length} bytes, not ${visit.length}`)
    if (visit.contains !== undefined && !body.includes(visit.contains))
      throw new Error(`${about} does not contain '${visit.contains}'`)
  }
}

function ask({ port, isSecure }, { path, headers, from, method, size }, signal) {
  return new Promise((resolve, reject) => {
    const body = size === undefined ? undefined : Buffer.alloc(size, 'x')
    const length = body === undefined ? {} : { 'Content-Length': body.length }
    const shape = { host: '127.0.0.1', port, path, method, localAddress: from, agent: false, signal }
    const target = { ...shape, headers: { ...headers, ...length } }
    const send = isSecure ? secureRequest : request
    // The certificate is self-signed.
    const asked = send({ ...target, rejectUnauthorized: false }, (answer) => {
      const chunks = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode, body: Buffer.concat(chunks) }))
    })
    asked.setTimeout(10_000, () => asked.destroy(new Error(`${path}: no answer within 10 s`)))
    asked.on('error', reject)
    asked.end(body)
  })
}

function askHttp2({ port, isSecure }, { path, headers, from }, signal) {
  const target = { host: '127.0.0.1', port, localAddress: from }
  const openSocket = () =>
    isSecure ? connectSecurely({ ...target, ALPNProtocols: ['h2'], rejectUnauthorized: false }) : connect(target)
  return new Promise((resolve, reject) => {
    const session = connectHttp2(`${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`, { createConnection: openSocket })
    session.on('error', reject)
    session.on('close', () => reject(new Error(`${path}: the connection has closed`)))
    session.setTimeout(10_000, () => session.destroy(new Error(`${path}: no answer within 10 s`)))
    signal.addEventListener('abort', () => session.destroy(new Error('interrupted')), { once: true })
    const asked = session.request({ ':path': path, ...headers })
    let status
    const chunks = []
    asked.on('response', (head) => (status = head[':status']))
    asked.on('data', (chunk) => chunks.push(chunk))
    asked.on('error', reject)
    asked.on('end', () => {
      resolve({ status, body: Buffer.concat(chunks) })
      session.close()
    })
  })
}
