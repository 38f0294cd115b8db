import type { MaybePromise } from './outcome.ts'
import type { OutputFilter } from './output-filter.ts'
import type { Request } from './request.ts'

export type AuthnStatus = 'granted' | 'denied' | 'not-found' | 'general-error'

/** A source of user names and passwords (`AuthBasicProvider NAME`). */
export interface AuthnProvider {
  checkPassword?(request: Request, user: string, password: string): MaybePromise<AuthnStatus>
  /** MD5 hash of `user:realm:password` in hexadecimal, for Digest authentication. */
  realmHash?(request: Request, user: string, realm: string): MaybePromise<string | 'not-found' | 'general-error'>
}

/** Providers of one group by name. */
export interface ProviderGroup<P> {
  add(name: string, provider: P): void
  get(name: string): P | undefined
  names(): readonly string[]
}

export interface Providers {
  readonly authn: ProviderGroup<AuthnProvider>
  readonly outputFilters: ProviderGroup<OutputFilter>
}
