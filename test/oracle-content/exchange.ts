import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
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
export function exchange(
  to: { readonly address: string; readonly port: number; readonly host: string },
  id: string,
  { method = 'GET', target, headers = {}, body, host = '@HOST@:@PORT@' }: ContentRequest,
  remembered: Remembered,
): Promise<Exchanged | null> {
  const sent: Record<string, string> = {
    Host: host.replace('@HOST@', to.host).replace('@PORT@', String(to.port)),
    'X-Id': id,
    Connection: 'close',
  }
  for (const [name, value] of Object.entries(headers)) {
    sent[name] = value
      .replace('@TAG@', remembered.tag ?? '"none"')
      .replace('@MODIFIED@', remembered.modified ?? 'Sat, 01 Jan 2000 00:00:00 GMT')
  }
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: to.address, port: to.port, path: target, method, headers: sent, agent: false, setHost: false },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', () => resolve(null))
        answer.on('end', () => {
          const { rawHeaders, statusCode, statusMessage } = answer
          const fields: [string, string][] = []
          for (let at = 0; at < rawHeaders.length; at += 2) fields.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''])
          remembered.tag = answer.headers.etag ?? remembered.tag
          remembered.modified = answer.headers['last-modified'] ?? remembered.modified
          resolve({
            status: `${statusCode} ${statusMessage}`,
            fields,
            body: decoded(Buffer.concat(chunks), answer.headers['content-encoding']),
          })
        })
      },
    )
    asked.on('error', (error) => ('code' in error && error.code === 'ENOENT' ? reject(error) : resolve(null)))
    asked.setTimeout(20_000, () => asked.destroy(new Error(`no answer to ${target} in 20 s`)))
    asked.end(body)
  })
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
