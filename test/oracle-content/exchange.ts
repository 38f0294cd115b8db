import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { ask } from '../fixtures/ask.ts'
import type { ContentRequest } from './content-case.ts'

/** What a server answered. */
export interface Exchanged {
  readonly status: string
  /** Names as they were sent, in order. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** In latin1, without its content coding. */
  readonly body: string
}

/** What a server has sent about a target before, for requests with conditions. */
export interface Remembered {
  tag?: string | undefined
  modified?: string | undefined
}

/** Sends one request on a connection of its own. @returns null if the connection was closed without an answer */
export async function exchange(
  to: { readonly address: string; readonly port: number; readonly host: string },
  id: string,
  { method = 'GET', target, headers = {}, host = '@HOST@:@PORT@' }: ContentRequest,
  remembered: Remembered,
): Promise<Exchanged | null> {
  const { address, port } = to
  const sent: Record<string, string> = {
    Host: host.replace('@HOST@', to.host).replace('@PORT@', String(port)),
    'X-Id': id,
    Connection: 'close',
  }
  for (const [name, value] of Object.entries(headers)) {
    sent[name] = value
      .replace('@TAG@', remembered.tag ?? '"none"')
      .replace('@MODIFIED@', remembered.modified ?? 'Sat, 01 Jan 2000 00:00:00 GMT')
  }
  // What is not HTTP is no answer.
  const answer = await ask({ address, port, path: target, method, headers: sent }).catch(() => null)
  if (answer === null) return null
  const { status, reason, rawHeaders, body } = answer
  remembered.tag = answer.headers.etag ?? remembered.tag
  remembered.modified = answer.headers['last-modified'] ?? remembered.modified
  const fields = rawHeaders.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : []))
  return { status: `${status} ${reason}`, fields, body: decoded(Buffer.from(body, 'latin1'), answer.headers['content-encoding']) }
}

function decoded(bytes: Buffer, coding: string | undefined): string {
  try {
    if (coding === 'gzip') return `[gzip]${gunzipSync(bytes).toString('latin1')}`
    if (coding === 'br') return `[br]${brotliDecompressSync(bytes).toString('latin1')}`
  } catch {
    // A part of a compressed body, or a file that is not what its name says.
  }
  return bytes.toString('latin1')
}
