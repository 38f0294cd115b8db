import type { AuthnProvider, Text } from '@gatewright/api'

export interface NamedProvider {
  readonly name: string
  readonly provider: AuthnProvider
  /** Its line and module, for messages. */
  readonly description: string
}

/** AuthBasicFake: the credentials that are passed to backends. */
export interface FakeCredentials {
  readonly user: Text
  readonly password: Text
}

/** Configuration of one section, or of several merged ones. undefined means not set. */
export interface BasicConfig {
  /** AuthBasicProvider, in order. */
  providers?: NamedProvider[]
  authoritative?: boolean
  /** null means off. */
  fake?: FakeCredentials | null
  /** AuthBasicUseDigestAlgorithm MD5. */
  digest?: boolean
}

export function mergeBasicConfig(base: Readonly<BasicConfig>, over: Readonly<BasicConfig>): BasicConfig {
  return {
    providers: over.providers ?? base.providers,
    authoritative: over.authoritative ?? base.authoritative,
    fake: over.fake === undefined ? base.fake : over.fake,
    digest: over.digest ?? base.digest,
  }
}
