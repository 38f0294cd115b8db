import type { AuthnProvider, Text } from '@gatewright/api'

export interface NamedProvider {
  readonly name: string
  readonly provider: AuthnProvider
}

/** AuthBasicFake: the credentials that backends are shown. */
export interface FakeCredentials {
  readonly user: Text
  readonly password: Text
}

/** What one section says, or several merged ones. Undefined is unset. */
export interface BasicConfig {
  /** AuthBasicProvider, in the order they are asked. */
  providers?: NamedProvider[]
  authoritative?: boolean
  /** null is off. */
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
