import type { TlsQuestion } from './tls-question.ts'

/** The request of a question about a decision. */
export interface Question {
  readonly method: string
  /** Request target: an absolute path, query allowed. */
  readonly target: string
  /** Host header. */
  readonly host: string
  /** Address and port that the client connects to. */
  readonly localAddress: string
  readonly localPort: number
  /** The client's address. */
  readonly client: string
  readonly credentials: Credentials | null
  /** Further header fields; a later one of a name replaces an earlier one. */
  readonly headers: readonly (readonly [string, string])[]
  /**
   * The TLS connection; null for a request in the clear, which goes through the layers of modules as well. Absent: no
   * layer of a module takes the connection.
   */
  readonly tls?: TlsQuestion | null
}

export interface Credentials {
  readonly user: string
  /** Null: the correct one, if the server knows the user. */
  readonly password: string | null
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** The URL of a question: `/path?query`, or an absolute URL, which names host and port as well. */
export interface QuestionUrl {
  readonly target: string
  readonly host: string
  /** null when the URL names no host. */
  readonly localPort: number | null
  /** False where localPort is that of the scheme. */
  readonly isPortWritten: boolean
  /** null when the URL names no scheme. */
  readonly scheme: 'http' | 'https' | null
}

/** @returns an error text if this is not the URL of a request */
export function readQuestionUrl(text: string): QuestionUrl | string {
  if (/[\r\n]/.test(text)) return 'a URL must not contain line ends: write %0D and %0A'
  if (text.startsWith('/')) return { target: text, host: 'localhost', localPort: null, isPortWritten: false, scheme: null }
  if (text === '*') return { target: text, host: 'localhost', localPort: null, isPortWritten: false, scheme: null }
  const parsed = /^(https?:)\/\/([^/?#]+)([^#]*)/.exec(text)
  if (parsed === null) return `${text} is not a URL: write /path, or http://host/path`
  const [, scheme, host, rest] = parsed
  const port = /:(\d+)$/.exec(host)?.[1]
  // The path is used as written, because a URL parser would normalise it.
  const target = rest.startsWith('/') ? rest : `/${rest}`
  return {
    target,
    host,
    localPort: Number(port ?? DEFAULT_PORTS[scheme]),
    isPortWritten: port !== undefined,
    scheme: scheme === 'https:' ? 'https' : 'http',
  }
}
