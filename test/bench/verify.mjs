import { request } from 'node:http'
import { request as secureRequest } from 'node:https'

/**
 * Sends each request that a server must answer correctly before its speed is measured.
 * @param {{ port: number, isSecure: boolean }} at
 * @param {readonly { path: string, headers: Record<string, string>, from?: string, status: number, length?:
 *   number, contains?: string }[]} visits `from` is the source address in the loopback network
 * @throws {Error} with the first difference
 */
export async function verify(at, visits, signal) {
  for (const visit of visits) {
    const { status, body } = await ask(at, visit, signal)
    const about = `${visit.path} from ${visit.from ?? '127.0.0.1'}`
    if (status !== visit.status) throw new Error(`${about} is answered with ${status}, not ${visit.status}`)
    if (visit.length !== undefined && body.length !== visit.length)
      throw new Error(`${about} has ${body.length} bytes, not ${visit.length}`)
    if (visit.contains !== undefined && !body.includes(visit.contains))
      throw new Error(`${about} does not contain '${visit.contains}'`)
  }
}

function ask({ port, isSecure }, { path, headers, from }, signal) {
  return new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port, path, headers, localAddress: from, agent: false, signal }
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
    asked.end()
  })
}
