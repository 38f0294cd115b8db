import { type DirectiveTable, directive } from '@gatewright/api'
import type { OpenIdConfig, OpenIdServerConfig } from './config.ts'
import { inServers, refused, without } from './directive-rows.ts'

const SHARED_CACHE = 'the cache that machines share is named by SharedCache, for all modules: SharedCache redis:HOST:PORT'
const BEARER = 'AuthType Bearer of mod_auth_bearer accepts access tokens'
const ONE_PROVIDER = 'a server has one provider; use virtual hosts for several'
const REGISTRATION = 'clients are not registered by this module: register this server at the provider'
const ENCRYPTED = 'tokens that are encrypted for the client are not read'
const NO_REGISTRATION = 'describes the client when it is registered, which this module does not do'

/** One argument of the real directive is what happens here anyway; others are refused. */
function onlyOne(accepted: string, why: string) {
  return directive.take1({
    ...inServers,
    help: accepted,
    set: (_config: OpenIdServerConfig, text, { name }) =>
      text.toLowerCase() === accepted.toLowerCase() ? undefined : `${name} ${text} is not supported: ${why}`,
  })
}

/** Directives of mod_auth_openidc that do nothing here, or ask for what this module does not do. */
export const foreignDirectives: DirectiveTable<OpenIdConfig, OpenIdServerConfig> = {
  OIDCCacheDir: refused(SHARED_CACHE),
  OIDCCacheFileCleanInterval: refused(SHARED_CACHE),
  OIDCMemCacheServers: refused(SHARED_CACHE),
  OIDCMemCacheConnectionsMin: refused(SHARED_CACHE),
  OIDCMemCacheConnectionsSMax: refused(SHARED_CACHE),
  OIDCMemCacheConnectionsHMax: refused(SHARED_CACHE),
  OIDCMemCacheConnectionsTTL: refused(SHARED_CACHE),
  OIDCRedisCacheServer: refused(SHARED_CACHE),
  OIDCRedisCacheUsername: refused(SHARED_CACHE),
  OIDCRedisCachePassword: refused(SHARED_CACHE),
  OIDCRedisCacheDatabase: refused(SHARED_CACHE),
  OIDCRedisCacheConnectTimeout: refused(SHARED_CACHE),
  OIDCRedisCacheTimeout: refused(SHARED_CACHE),
  OIDCOAuthServerMetadataURL: refused(BEARER),
  OIDCOAuthIntrospectionEndpoint: refused(BEARER),
  OIDCOAuthClientID: refused(BEARER),
  OIDCOAuthClientSecret: refused(BEARER),
  OIDCOAuthIntrospectionEndpointAuth: refused(BEARER),
  OIDCOAuthIntrospectionClientAuthBearerToken: refused(BEARER),
  OIDCOAuthIntrospectionEndpointCert: refused(BEARER),
  OIDCOAuthIntrospectionEndpointKey: refused(BEARER),
  OIDCOAuthIntrospectionEndpointMethod: refused(BEARER),
  OIDCOAuthIntrospectionEndpointParams: refused(BEARER),
  OIDCOAuthIntrospectionTokenParamName: refused(BEARER),
  OIDCOAuthTokenExpiryClaim: refused(BEARER),
  OIDCOAuthTokenIntrospectionInterval: refused(BEARER),
  OIDCOAuthSSLValidateServer: refused(BEARER),
  OIDCOAuthVerifySharedKeys: refused(BEARER),
  OIDCOAuthVerifyCertFiles: refused(BEARER),
  OIDCOAuthVerifyJwksUri: refused(BEARER),
  OIDCOAuthRemoteUserClaim: refused(BEARER),
  OIDCOAuthAcceptTokenAs: refused(BEARER),
  OIDCOAuthAccessTokenBindingPolicy: refused(BEARER),
  OIDCMetadataDir: refused(ONE_PROVIDER),
  OIDCDiscoverURL: refused(ONE_PROVIDER),
  OIDCProviderRegistrationEndpointJson: refused(REGISTRATION),
  OIDCPublicKeyFiles: without('the redirect URI with ?jwks=rsa publishes the public halves of OIDCPrivateKeyFiles'),
  OIDCIDTokenEncryptedResponseAlg: refused(ENCRYPTED),
  OIDCIDTokenEncryptedResponseEnc: refused(ENCRYPTED),
  OIDCUserInfoEncryptedResponseAlg: refused(ENCRYPTED),
  OIDCUserInfoEncryptedResponseEnc: refused(ENCRYPTED),
  OIDCUserInfoSignedResponseAlg: refused('the claims of the user info endpoint are read as JSON'),
  OIDCProviderVerifyCertFiles: refused('the keys of the provider are fetched from OIDCProviderJwksUri'),
  OIDCClientTokenEndpointCert: refused('clients authenticate themselves by a secret or by private_key_jwt'),
  OIDCClientTokenEndpointKey: refused('clients authenticate themselves by a secret or by private_key_jwt'),
  OIDCClientTokenEndpointKeyPassword: refused('clients authenticate themselves by a secret or by private_key_jwt'),
  OIDCProviderTokenEndpointParams: refused('the token endpoint gets the parameters of the standard only'),
  OIDCRequestObject: refused('parameters are sent to the provider as they are'),
  OIDCPreservePost: onlyOne('Off', 'the data of a form are not kept while a user logs in'),
  OIDCOutgoingProxy: refused('the provider is asked directly'),
  OIDCUserInfoRefreshInterval: onlyOne('0', 'claims are those of the login; OIDCSessionMaxDuration limits their age'),
  OIDCSessionCacheFallbackToCookie: onlyOne('Off', 'sessions are kept on the server'),
  OIDCProviderAuthRequestMethod: onlyOne('GET', 'users are sent to the provider by GET'),
  OIDCUserInfoTokenMethod: onlyOne('authz_header', 'a token in a form could be logged'),
  OIDCCacheType: onlyOne('shm', SHARED_CACHE),
  OIDCProviderCheckSessionIFrame: without('logouts at the provider are learnt by the back channel or the front channel'),
  OIDCProviderBackChannelLogoutSupported: without('back-channel logouts are always served'),
  OIDCClientName: without(NO_REGISTRATION),
  OIDCClientContact: without(NO_REGISTRATION),
  OIDCClientJwksUri: without(NO_REGISTRATION),
  OIDCTokenBindingPolicy: without('browsers do not bind tokens to connections'),
  OIDCJWKSRefreshInterval: without('keys are fetched after five minutes, and when a token has an unknown one'),
  OIDCSessionCookieChunkSize: without('cookies are short, because sessions are on the server'),
  OIDCCookieSameSite: without('cookies are always SameSite=Lax'),
  OIDCCacheEncrypt: without('sessions are always encrypted'),
  OIDCCacheShmMax: without('sessions share 16 MB'),
  OIDCCacheShmEntrySizeMax: without('sessions share 16 MB'),
  OIDCStateInputHeaders: without('a login is bound to its browser by a cookie'),
  OIDCHTMLErrorTemplate: without('pages about failed logins are those of this module'),
}
