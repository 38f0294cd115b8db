import type { ClientsSite } from './clients-site.ts'
import type { Answer, Visit } from './visits.ts'

/** A program that fetches pages. */
export interface TlsClient {
  readonly name: string
  /** Each group is satisfied by one of its programs; all groups are needed. */
  readonly needs: readonly (readonly string[])[]
  /** How to install them on Debian. */
  readonly packages: string
  /** Why it cannot run here although its programs are there; null if it can. */
  readonly obstacle?: () => string | null
  /** Why it cannot negotiate again in TLS 1.2; absent if it can. */
  readonly renegotiatesNot?: string
  /** It shows no status 401; the access log does. */
  readonly hidesChallenges?: true
  /** Makes all visits, in any order. @returns the answers in the order of the visits */
  visitAll(visits: readonly Visit[], site: ClientsSite): Promise<readonly Answer[]>
}
