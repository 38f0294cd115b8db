import { request } from 'node:http'

/**
 * Sends each request that a server must answer correctly before its speed is measured.
 * @param {number} port
 * @param {readonly { path: string, headers: Record<string, string>, from?: string, status: number, length?:
 *   number, contains?: string }[]} visits `from` is the source address in the loopback network
 * @throws {Error} with the first difference
 */
export async function verify(port, visits, signal) {
  for (const visit of visits) {
    const { status, body } = await ask(port, visit, signal)
    const about = `${visit.path} from ${visit.from ?? '127.0.0.1'}`
    if (status !== visit.status) throw new Error(`${about} is answered with ${status}, not ${visit.status}`)
    if (visit.length !== undefined && body.length !== visit.length)
      throw new Error(`${about} has ${body.length} bytes, not ${visit.length}`)
    if (visit.contains !== undefined && !body.includes(visit.contains))
      throw new Error(`${about} does not contain '${visit.contains}'`)
  }
}

function ask(port, { path, headers, from }, signal) {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers, localAddress: from, agent: false, signal }, (answer) => {
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
