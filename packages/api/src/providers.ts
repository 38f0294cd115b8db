import type { Command } from './command.ts'
import type { MaybePromise } from './outcome.ts'
import type { OutputFilter } from './output-filter.ts'
import type { Request } from './request.ts'

/** What an authorization provider decides. */
export type AuthzStatus = 'granted' | 'denied' | 'neutral' | 'denied-no-user' | 'general-error'

/** Decides about one request. `denied-no-user` means: a user could change this, ask for one. */
export type AuthzCheck = (request: Request) => MaybePromise<AuthzStatus>

/**
 * One form of `Require NAME ...`. Group `authz`.
 * @suppliedByModules
 */
export interface AuthzProvider {
  /**
   * Compiles the arguments of a Require line once, at load.
   * @param argument the text behind the provider's name, as written
   * @returns the check, or an error text
   */
  parse(argument: string, command: Command): AuthzCheck | string
  /**
   * One check for several, all made by this provider's `parse`: it grants when one of them does and denies otherwise. Only for checks that do nothing but grant or
   * deny at once; where there is none, each check is asked in turn. Since API 2.4.1.
   */
  anyOf?(checks: readonly AuthzCheck[]): AuthzCheck
}

export type AuthnStatus = 'granted' | 'denied' | 'not-found' | 'general-error'

/**
 * A source of user names and passwords (`AuthBasicProvider NAME`). Group `authn`.
 * @suppliedByModules
 */
export interface AuthnProvider {
  /** Absent when the provider has no support for Basic authentication. Passwords are byte strings. */
  checkPassword?(request: Request, user: string, password: string): MaybePromise<AuthnStatus>
  /**
   * The costliest of the hashes that `checkPassword` verifies against (`services.costliestHash`), for passwords of unknown users. It is absent, or undefined,
   * when there are none. Since API 2.4.3.
   */
  decoy?(request: Request): string | undefined
  /** MD5 hash of `user:realm:password` in hexadecimal; absent when the provider has no support for Digest. */
  realmHash?(request: Request, user: string, realm: string): MaybePromise<string | 'not-found' | 'general-error'>
  /** Names that would be found for a request, for explanations: none where they cannot be told, and nothing is logged. Since API 2.4.2. */
  userNames?(request: Request): readonly string[]
}

/** Providers of one group by name. A second provider of the same name is refused, unless it says that it replaces the first. */
export interface ProviderGroup<P> {
  /** @throws Error when the name is taken and `replace` is not set */
  add(name: string, provider: P, options?: { readonly replace?: boolean }): void
  get(name: string): P | undefined
  names(): readonly string[]
}

export interface Providers {
  readonly authz: ProviderGroup<AuthzProvider>
  readonly authn: ProviderGroup<AuthnProvider>
  /** Filters by the names that SetOutputFilter and others use, without regard to case. Since API 2.4.3. */
  readonly outputFilters: ProviderGroup<OutputFilter>
}
