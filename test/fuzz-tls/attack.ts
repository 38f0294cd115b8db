import type { Damage } from './damaged-records.ts'

/** What an attacker does when it has sent everything: closes, resets, or waits until the server closes. */
export type Ending = 'close' | 'reset' | 'wait'

/** Bytes that no library made. */
export interface BytesAttack {
  readonly kind: 'bytes'
  readonly what: string
  readonly port: 'tls' | 'plain'
  readonly pieces: readonly Buffer[]
  /** Sent again and again until the server closes the connection. */
  readonly endless: Buffer | null
  readonly ending: Ending
  /** What the server has to answer, as it begins; null where anything but the contents of a file will do. */
  readonly answer: string | null
}

/** A client of TLS whose records are damaged on their way. */
export interface ClientAttack {
  readonly kind: 'client'
  readonly what: string
  readonly version: 'TLSv1.2' | 'TLSv1.3'
  readonly host: string
  readonly protocols: readonly string[]
  readonly hasCertificate: boolean
  readonly damage: Damage
  /** What it sends after its handshake. */
  readonly text: string
  /** How often it begins another handshake. */
  readonly renegotiations: number
  readonly ending: Ending
}

export type Attack = BytesAttack | ClientAttack
