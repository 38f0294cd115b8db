import type { ChallengeType, Problem } from '@gatewright/acme'

/** How a CA is reached. */
export interface Reach {
  /** URL of its directory. */
  readonly directory: string
  /** PEM of the authorities of its own certificate; absent for the usual ones. */
  readonly authorities?: string
  readonly proxyUrl?: string
  /** PEM of the authorities of the proxy. */
  readonly proxyAuthorities?: string
}

/** A task for the process that speaks with CAs. It is transmitted over a pipe only: it contains a key. */
export type Task =
  | {
      readonly kind: 'obtain'
      readonly reach: Reach
      readonly account: {
        /** PKCS #8 in PEM. */
        readonly key: string
        /** '' for one that is to be registered. */
        readonly url: string
        readonly contacts: readonly string[]
        readonly agreed: boolean
        readonly binding?: { readonly kid: string; readonly hmac: string }
      }
      readonly order: {
        readonly domains: readonly string[]
        /** DER in Base64. */
        readonly csr: string
        readonly challenges: Readonly<Record<string, readonly ChallengeType[]>>
        readonly profile?: string
        readonly profileMandatory: boolean
        readonly replaces?: string
      }
    }
  | { readonly kind: 'renewal-info'; readonly reach: Reach; readonly ids: readonly string[] }

/** The answer to a `setUp` or `tearDown`; '' when it was done. */
export interface Done {
  readonly id: number
  readonly error: string
}

/** A challenge to be answered, or not any more. */
export interface ChallengeMessage {
  readonly type: 'setUp' | 'tearDown'
  readonly id: number
  readonly challenge: {
    readonly type: ChallengeType
    readonly domain: string
    readonly token: string
    readonly keyAuthorization: string
  }
}

/** What the process says. */
export type FromProcess =
  | { readonly type: 'progress'; readonly text: string }
  | {
      readonly type: 'account'
      readonly url: string
      readonly orders: string
      readonly registration: Readonly<Record<string, unknown>>
      readonly isNew: boolean
    }
  | ChallengeMessage
  | { readonly type: 'chain'; readonly chain: readonly string[] }
  | {
      readonly type: 'window'
      readonly window: { readonly start: number; readonly end: number; readonly explanation: string } | null
    }
  | { readonly type: 'failed'; readonly message: string; readonly problem: Problem | null; readonly retryAfter: number }
