import { type DirectiveTable, directive } from '@gatewright/api'
import { ALGORITHMS } from '@gatewright/tokens'
import type { OpenIdConfig, OpenIdServerConfig, TokenEndpointAuth } from './config.ts'
import { flag, inServers, number, url, word } from './directive-rows.ts'

const AUTH: readonly TokenEndpointAuth[] = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'none',
]

/** What is known of the provider, and how it is asked. */
export const providerDirectives: DirectiveTable<OpenIdConfig, OpenIdServerConfig> = {
  OIDCProviderMetadataURL: url('URL of the metadata of the provider (.well-known/openid-configuration)', (config, value) => {
    config.metadataUrl = value
  }),
  OIDCProviderIssuer: word('the claim iss of the provider', (config, value) => {
    config.issuer = value
  }),
  OIDCProviderAuthorizationEndpoint: url('URL of the provider where users log in', (config, value) => {
    config.authorizationEndpoint = value
  }),
  OIDCProviderTokenEndpoint: url('URL of the provider for tokens', (config, value) => {
    config.tokenEndpoint = value
  }),
  OIDCProviderJwksUri: url('URL of the public keys of the provider', (config, value) => {
    config.jwksUri = value
  }),
  OIDCProviderUserInfoEndpoint: url("URL of the provider for the user's claims", (config, value) => {
    config.userInfoEndpoint = value
  }),
  OIDCProviderEndSessionEndpoint: url('URL of the provider where sessions are ended', (config, value) => {
    config.endSessionEndpoint = value
  }),
  OIDCProviderRevocationEndpoint: url('URL of the provider where tokens are revoked at a logout', (config, value) => {
    config.revocationEndpoint = value
  }),
  OIDCProviderTokenEndpointAuth: directive.take1({
    ...inServers,
    help: `how the client proves to the token endpoint who it is: ${AUTH.join(', ')}`,
    set: (config: OpenIdServerConfig, text) => {
      const known = AUTH.find((name) => name === text)
      if (known === undefined) return `OIDCProviderTokenEndpointAuth: '${text}' must be one of: ${AUTH.join(', ')}`
      config.tokenEndpointAuth = known
      return undefined
    },
  }),
  OIDCProviderMetadataRefreshInterval: number(
    'seconds after which the metadata are fetched again',
    [0, 31_536_000],
    (config, value) => {
      if (value > 0) config.metadataRefresh = value * 1_000
    },
  ),
  OIDCIDTokenSignedResponseAlg: directive.take1({
    ...inServers,
    help: `the algorithm of signatures of ID tokens: ${ALGORITHMS.join(', ')}`,
    set: (config: OpenIdServerConfig, text) => {
      if (!ALGORITHMS.includes(text)) return `OIDCIDTokenSignedResponseAlg: '${text}' must be one of: ${ALGORITHMS.join(', ')}`
      config.idTokenAlg = text
      return undefined
    },
  }),
  OIDCIDTokenIatSlack: number('seconds by which the clock of the provider may differ', [0, 3_600], (config, value) => {
    config.iatSlack = value
  }),
  OIDCSSLValidateServer: flag('whether the certificate of the provider must be valid', (config, on) => {
    config.validateTls = on
  }),
  OIDCCABundlePath: directive.take1({
    ...inServers,
    help: 'a file with the certificates of authorities that the provider may use',
    set: (config: OpenIdServerConfig, text, command) => {
      const path = command.serverRelative(text)
      const certificates = command.services.readFile(path)
      if (typeof certificates !== 'string') return `OIDCCABundlePath: cannot read ${path}: ${certificates.message}`
      config.ca = certificates
      return undefined
    },
  }),
  OIDCValidateIssuer: directive.flag({
    ...inServers,
    help: 'On: ID tokens must be of OIDCProviderIssuer, or of the issuer that the metadata name',
    set: (_config: OpenIdServerConfig, on) =>
      on
        ? undefined
        : 'OIDCValidateIssuer Off is not supported, because it admits the users of other tenants: use the metadata URL of your tenant, or name its issuer with OIDCProviderIssuer',
  }),
  OIDCHTTPTimeoutLong: number('seconds within which tokens, keys and user data must have arrived', [1, 300], (config, value) => {
    config.longTimeout = value * 1_000
  }),
  OIDCHTTPTimeoutShort: number('seconds within which the metadata must have arrived', [1, 300], (config, value) => {
    config.shortTimeout = value * 1_000
  }),
}
