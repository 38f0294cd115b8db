import type { Condition, Pattern, Text } from '@gatewright/api'
import type { ClientKey } from './client-keys.ts'
import type { Passphrase } from './pass-phrase.ts'

/** How the client authenticates itself at the token endpoint. */
export type TokenEndpointAuth = 'client_secret_basic' | 'client_secret_post' | 'client_secret_jwt' | 'private_key_jwt' | 'none'

/** What the module's directives set for a server. undefined means not set. */
export interface OpenIdServerConfig {
  /** OIDCProviderMetadataURL. */
  metadataUrl?: URL
  /** OIDCProviderIssuer. */
  issuer?: string
  /** OIDCProviderAuthorizationEndpoint. */
  authorizationEndpoint?: URL
  /** OIDCProviderTokenEndpoint. */
  tokenEndpoint?: URL
  /** OIDCProviderJwksUri. */
  jwksUri?: URL
  /** OIDCProviderUserInfoEndpoint. */
  userInfoEndpoint?: URL
  /** OIDCProviderEndSessionEndpoint. */
  endSessionEndpoint?: URL
  /** OIDCProviderRevocationEndpoint. */
  revocationEndpoint?: URL
  /** OIDCProviderTokenEndpointAuth. */
  tokenEndpointAuth?: TokenEndpointAuth
  /** OIDCProviderMetadataRefreshInterval, in milliseconds. */
  metadataRefresh?: number
  /** OIDCClientID. */
  clientId?: string
  /** OIDCClientSecret. */
  clientSecret?: string
  /** OIDCPrivateKeyFiles. */
  privateKeys?: readonly ClientKey[]
  /** OIDCRedirectURI: a URL, or a path on the host that was asked for. */
  redirectUri?: string
  /** OIDCCryptoPassphrase. */
  passphrase?: Passphrase
  /** OIDCScope. */
  scope?: string
  /** OIDCAuthRequestParams. */
  authRequestParams?: string
  /** OIDCPKCEMethod. */
  pkce?: 'S256' | 'none'
  /** OIDCIDTokenSignedResponseAlg. */
  idTokenAlg?: string
  /** OIDCIDTokenIatSlack, in seconds. */
  iatSlack?: number
  /** OIDCSSLValidateServer. */
  validateTls?: boolean
  /** OIDCCABundlePath: its certificates. */
  ca?: string
  /** OIDCHTTPTimeoutLong, in milliseconds. */
  longTimeout?: number
  /** OIDCHTTPTimeoutShort, in milliseconds. */
  shortTimeout?: number
  /** OIDCRemoteUserClaim. */
  remoteUser?: RemoteUserClaim
  /** OIDCClaimPrefix. */
  claimPrefix?: string
  /** OIDCClaimDelimiter. */
  claimDelimiter?: string
  /** OIDCPassIDTokenAs. */
  passIdTokenAs?: ReadonlySet<string>
  /** OIDCPassUserInfoAs. */
  passUserInfoAs?: ReadonlySet<string>
  /** OIDCBlackListedClaims. */
  blackListed?: ReadonlySet<string>
  /** OIDCWhiteListedClaims. */
  whiteListed?: ReadonlySet<string>
  /** OIDCSessionInactivityTimeout, in milliseconds. */
  inactivityTimeout?: number
  /** OIDCSessionMaxDuration, in milliseconds; 0 for the life of the ID token. */
  maxDuration?: number
  /** OIDCSessionType server-cache:persistent. */
  persistent?: boolean
  /** OIDCCookieDomain. */
  cookieDomain?: string
  /** OIDCCookieHTTPOnly. */
  cookieHttpOnly?: boolean
  /** OIDCStateCookiePrefix. */
  stateCookiePrefix?: string
  /** OIDCStateMaxNumberOfCookies. */
  mostStates?: number
  /** OIDCStateTimeout, in milliseconds. */
  stateTimeout?: number
  /** OIDCDefaultURL. */
  defaultUrl?: string
  /** OIDCDefaultLoggedOutURL. */
  defaultLoggedOutUrl?: string
  /** OIDCRedirectURLsAllowed. */
  redirectsAllowed?: readonly Pattern[]
  /** OIDCLogoutXFrameOptions. */
  logoutFrameOptions?: string
  /** OIDCInfoHook. */
  infoHook?: ReadonlySet<string>
  /** OIDCXForwardedHeaders, in lower case. */
  forwardedHeaders?: ReadonlySet<string>
}

/** OIDCRemoteUserClaim CLAIM[@] [PATTERN] [SUBSTITUTION]. */
export interface RemoteUserClaim {
  readonly claim: string
  /** The issuer is appended, so that the users of two providers are not the same. */
  readonly withIssuer: boolean
  readonly pattern: Pattern | null
  readonly substitution: string | null
}

/** What OIDCUnAuthAction does with a request without a session. */
export interface UnauthAction {
  readonly action: 'auth' | 'pass' | 401 | 407 | 410
  /** The action applies to requests that match; null for all. */
  readonly when: Condition | null
}

/** What OIDCUnAutzAction does with a user whom Require refuses. */
export interface UnauthzAction {
  readonly action: 'auth' | 302 | 401 | 403
  /** The text, or the URL. */
  readonly argument: string | null
}

/** What the module's directives set for a section. undefined means not set. */
export interface OpenIdConfig {
  /** OIDCCookie. */
  cookie?: string
  /** OIDCCookiePath. */
  cookiePath?: string
  /** OIDCPassClaimsAs. */
  passClaims?: 'none' | 'headers' | 'environment' | 'both'
  /** The second argument of OIDCPassClaimsAs. */
  encoding?: 'base64url' | 'latin1'
  /** OIDCAuthNHeader. */
  authnHeader?: string
  /** OIDCUnAuthAction. */
  unauth?: UnauthAction
  /** OIDCUnAutzAction. */
  unauthz?: UnauthzAction
  /** OIDCPassCookies. */
  passCookies?: readonly string[]
  /** OIDCStripCookies. */
  stripCookies?: readonly string[]
  /** OIDCPathScope. */
  pathScope?: Text
  /** OIDCPathAuthRequestParams. */
  pathAuthRequestParams?: Text
  /** OIDCPassRefreshToken. */
  passRefreshToken?: boolean
  /** OIDCRefreshAccessTokenBeforeExpiry. */
  refreshBefore?: { readonly seconds: number; readonly logoutOnError: boolean }
}

/** What holds without a directive; times in milliseconds, but iatSlack in seconds. */
export const STANDARD: Required<
  Pick<
    OpenIdServerConfig,
    | 'stateCookiePrefix'
    | 'claimPrefix'
    | 'claimDelimiter'
    | 'scope'
    | 'inactivityTimeout'
    | 'maxDuration'
    | 'stateTimeout'
    | 'mostStates'
    | 'longTimeout'
    | 'shortTimeout'
    | 'iatSlack'
    | 'metadataRefresh'
  >
> & { readonly cookie: string } = {
  cookie: 'mod_auth_openidc_session',
  stateCookiePrefix: 'mod_auth_openidc_state_',
  claimPrefix: 'OIDC_CLAIM_',
  claimDelimiter: ',',
  scope: 'openid',
  inactivityTimeout: 300_000,
  maxDuration: 8 * 3_600_000,
  stateTimeout: 300_000,
  mostStates: 7,
  longTimeout: 60_000,
  shortTimeout: 5_000,
  iatSlack: 600,
  metadataRefresh: 86_400_000,
}

export function merge<C extends object>(base: Readonly<C>, over: Readonly<C>): C {
  return { ...base, ...over }
}

/** Names that are printed in messages about what is missing. */
export function missingOf(config: Readonly<OpenIdServerConfig>): string | null {
  const { metadataUrl, issuer, authorizationEndpoint, tokenEndpoint, jwksUri } = config
  if (config.redirectUri === undefined) return 'OIDCRedirectURI'
  if (config.passphrase === undefined) return 'OIDCCryptoPassphrase'
  if (config.clientId === undefined) return 'OIDCClientID'
  if (config.tokenEndpointAuth === 'private_key_jwt' && config.privateKeys === undefined) return 'OIDCPrivateKeyFiles'
  if (metadataUrl !== undefined) return null
  if (issuer === undefined) return 'OIDCProviderMetadataURL, or OIDCProviderIssuer and its endpoints,'
  if (authorizationEndpoint === undefined) return 'OIDCProviderAuthorizationEndpoint'
  if (tokenEndpoint === undefined) return 'OIDCProviderTokenEndpoint'
  return jwksUri === undefined ? 'OIDCProviderJwksUri' : null
}
