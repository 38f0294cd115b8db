import type { Outcome } from './outcome.ts'

/** The client's connection. 2.4 has two addresses instead of this one: the peer's, and the user agent's behind a proxy. */
export interface Connection {
  readonly remoteIp: string
  readonly remotePort: number
  readonly localIp: string
}

/** One Require line as it was written. Modules of this line read them themselves in authChecker; in 2.4 they register a provider. */
export interface RequireLine {
  /** Methods the line is limited to, empty for all. */
  readonly methods: readonly string[]
  readonly text: string
}

/** What the hooks of this line see of a request. */
export interface Request {
  readonly connection: Connection
  readonly method: string
  readonly uri: string
  readonly args: string | null
  readonly filename: string
  readonly handler: string | null
  user: string | null
  authType: string | null
  contentType: string | null
  /** Require lines in force, null when there is none. */
  requires(): readonly RequireLine[] | null
  /** True when any Require is in force. Meaningless in 2.4, where a Require need not ask for a user. */
  someAuthRequired(): boolean
  /** The content type of files whose name tells nothing; 2.4 has none. */
  defaultType(): string
  headerIn(name: string): string | undefined
  setHeaderOut(name: string, value: string): void
  /** Names the authentication method and realm in the 401 answer. */
  noteBasicAuthFailure(): void
  /** Sends text and returns OK. */
  send(contentType: string, text: string): Outcome
}
