import type { Answering } from './recorder.ts'

/** What the test has: ports of the server's own backend, and of one that no request may reach. */
export interface Ports {
  readonly backend: number
  readonly secret: number
}

/** What came of a request. */
export interface Seen {
  /** All that the client received, as latin1. */
  readonly answer: string
  /** The status of the first response; 0 if there was none. */
  readonly status: number
  /** What the backend received. */
  readonly backend: string
  /** What the backend received that no request may reach. */
  readonly secret: string
}

/** A published weakness of a proxy, and a request that shows it. */
export interface Advisory {
  readonly id: string
  readonly about: string
  /** Lines of the virtual host, whose name is the identifier in lower case. */
  lines(ports: Ports): readonly string[]
  /** The bytes that the client sends; `HOST` stands for the name of the host. */
  request(ports: Ports): string
  readonly answering?: Answering
  /** @returns what is wrong; null if the weakness does not show */
  fault(seen: Seen): string | null
}
