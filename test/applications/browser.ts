import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** A response. */
export interface Page {
  readonly status: number
  readonly fields: IncomingHttpHeaders
  /** latin1 */
  readonly body: string
}

/** What is sent besides the target. */
export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

const BOUNDARY = 'boundary-of-a-scripted-client'

/** A scripted client that keeps cookies, follows no redirects, and reads forms. */
export class Browser {
  readonly #port: number
  readonly #cookies = new Map<string, string>()
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor(port: number) {
    this.#port = port
  }

  get(target: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.send(target, { headers })
  }

  /** Sends the fields of a form. */
  post(target: string, form: Readonly<Record<string, string>>): Promise<Page> {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    return this.send(target, { method: 'POST', headers, body: new URLSearchParams(form).toString() })
  }

  /** Sends a form with a file. */
  upload(target: string, form: Readonly<Record<string, string>>, file: UploadedFile): Promise<Page> {
    const parts = Object.entries(form).map(
      ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${file.field}"; filename="${file.name}"\r\nContent-Type: ${file.type}\r\n\r\n`
    const body = Buffer.concat([Buffer.from(parts.join('') + head), file.content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
    return this.send(target, { method: 'POST', headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }, body })
  }

  send(target: string, { method = 'GET', headers = {}, body }: Sent): Promise<Page> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return new Promise((resolve, reject) => {
      const sent = request({
        agent: this.#agent,
        host: '127.0.0.1',
        port: this.#port,
        path: target,
        method,
        headers: {
          Host: `localhost:${this.#port}`,
          'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) scripted',
          Accept: 'text/html,*/*;q=0.8',
          'Accept-Language': 'en',
          ...(cookie === '' ? {} : { Cookie: cookie }),
          ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
      })
      sent.on('error', reject)
      sent.on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          this.#keep(response.headers['set-cookie'] ?? [])
          resolve({
            status: response.statusCode ?? 0,
            fields: response.headers,
            body: Buffer.concat(chunks).toString('latin1'),
          })
        })
      })
      sent.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }

  #keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [pair] = line.split(';', 1)
      const equals = pair.indexOf('=')
      const name = pair.slice(0, equals)
      const value = pair.slice(equals + 1)
      if (value === 'deleted' || value === '' || /expires=[^;]*19[67]\d/i.test(line)) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
  }
}

/** A file as forms send it. */
export interface UploadedFile {
  readonly field: string
  readonly name: string
  readonly type: string
  readonly content: Buffer
}

/** The hidden fields of a page's form. @param mark a text in the tag of the form */
export function hiddenFields({ body }: Page, mark = ''): Record<string, string> {
  const form =
    body
      .split('<form')
      .slice(1)
      .find((part) => part.includes(mark) && part.includes('hidden')) ?? ''
  const fields: Record<string, string> = {}
  for (const [tag] of form.split('</form>', 1)[0].matchAll(/<input[^>]*type=["']hidden["'][^>]*>/g)) {
    const name = /name=["']([^"']*)["']/.exec(tag)?.[1]
    if (name !== undefined) fields[name] = unescaped(/value=["']([^"']*)["']/.exec(tag)?.[1] ?? '')
  }
  return fields
}

/** The value of an attribute, or the first group, in a page; '' without one. */
export function found({ body }: Page, pattern: RegExp): string {
  return unescaped(pattern.exec(body)?.[1] ?? '')
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#039;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
