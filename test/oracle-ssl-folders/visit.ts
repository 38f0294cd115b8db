import { connect } from 'node:tls'
import type { Journey } from './random-world.ts'

/** What a client gets. */
export interface Answer {
  /** '' where the connection ends without one. */
  readonly status: string
  /** SSL_CLIENT_VERIFY; '' without an answer. */
  readonly verified: string
  readonly user: string
}

const NOTHING: Answer = { status: '', verified: '', user: '' }
/** Milliseconds after which a server does not answer. */
const LONGEST = 5000

/** Makes the requests of a journey, one after another, until the connection ends. */
export async function visit(
  port: number,
  { host, visitor, visits }: Journey,
  fixture: (name: string) => string,
): Promise<readonly Answer[]> {
  const { certificate, key, version, ciphers } = visitor
  const socket = connect({
    port,
    host: '127.0.0.1',
    servername: host,
    rejectUnauthorized: false,
    minVersion: version,
    maxVersion: version,
    ciphers: `${ciphers}:TLS_AES_128_GCM_SHA256`,
    ...(certificate !== null && { cert: fixture(`${certificate}.crt`), key: fixture(`${key}.key`) }),
  })
  let text = ''
  let isOver = false
  let changed: () => void = () => undefined
  socket.setTimeout(LONGEST, () => socket.destroy())
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1')
    changed()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isOver = true
    changed()
  })
  const answers: Answer[] = []
  for (const [index, { folder, length }] of visits.entries()) {
    const isLast = index === visits.length - 1
    const method = length > 0 ? 'POST' : 'GET'
    const fields = `${length > 0 ? `Content-Length: ${length}\r\n` : ''}${isLast ? 'Connection: close\r\n' : ''}`
    text = ''
    socket.write(`${method} /${folder}/f.txt HTTP/1.1\r\nHost: ${host}\r\n${fields}\r\n${'x'.repeat(length)}`)
    for (;;) {
      const head = /^HTTP\/1\.1 (\d+) [\s\S]*?\r\n\r\n/.exec(text)
      const bodyLength = Number(/^Content-Length: (\d+)\r$/im.exec(head?.[0] ?? '')?.[1] ?? Number.POSITIVE_INFINITY)
      const isComplete = head !== null && (isOver || text.length >= head[0].length + bodyLength)
      if (isComplete || isOver) {
        answers.push(
          head === null ? NOTHING : { status: head[1], verified: fieldOf(head[0], 'X-Verify'), user: fieldOf(head[0], 'X-User') },
        )
        break
      }
      await new Promise<void>((resolve) => {
        changed = resolve
      })
    }
    if (isOver) break
  }
  socket.end()
  if (!isOver) {
    await new Promise<void>((resolve) => {
      changed = () => {
        if (isOver) resolve()
      }
    })
  }
  return answers
}

function fieldOf(head: string, name: string): string {
  return new RegExp(`^${name}: ?(.*)\\r$`, 'm').exec(head)?.[1] ?? ''
}
