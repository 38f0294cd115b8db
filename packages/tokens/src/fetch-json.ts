/** The largest document that is read, in bytes. */
const LONGEST = 256 * 1024

/** What was sent, and how. */
export interface JsonRequest {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent by POST. */
  readonly form?: URLSearchParams
  /** Milliseconds for everything. */
  readonly timeout: number
}

/**
 * Gets a JSON document. Redirects are not followed, because nobody has named their targets.
 * @throws Error if there is no document with status 200 in time
 */
export async function fetchJson(url: URL, { headers = {}, form, timeout }: JsonRequest): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json', ...headers },
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
    ...(form !== undefined && { method: 'POST', body: form }),
  })
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel()
    throw new Error(`${url.href} answered ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body) {
    length += chunk.length
    if (length > LONGEST) throw new Error(`${url.href} sent more than ${LONGEST} bytes`)
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

/** An object of a JSON document. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
