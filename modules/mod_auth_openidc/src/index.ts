import { claimSources, DECLINED, DONE, defineModule, type Module, OK, type Request, whenSettled } from '@gatewright/api'
import { traceDirective } from '@gatewright/api/tracing'
import { addRequireClaim } from '@gatewright/tokens'
import { OpenIdAuthentication } from './authentication.ts'
import { merge, missingOf, type OpenIdConfig, type OpenIdServerConfig } from './config.ts'
import { Cookies } from './cookies.ts'
import { directives } from './directives.ts'
import { IdentityFields } from './identity-fields.ts'
import { addLintRules } from './lint.ts'
import { Logins, type OpenIdParts } from './login.ts'
import { Passphrase } from './pass-phrase.ts'
import { Provider } from './provider.ts'
import { RedirectUri } from './redirect-uri.ts'
import { TokenRefreshes } from './refreshing.ts'
import { SessionStore } from './session-store.ts'
import { isForRedirectUri } from './urls.ts'

/** Size in bytes of the sessions where the memory of this server keeps them. */
const STORE_SIZE = 16 * 1024 * 1024

/** AuthType openid-connect: logins at an OpenID Connect provider, with the directives of mod_auth_openidc. Not a module of httpd. */
const authOpenId: Module<OpenIdConfig, OpenIdServerConfig> = defineModule<OpenIdConfig, OpenIdServerConfig>({
  name: 'auth_openidc_module',
  source: 'mod_auth_openidc.c',
  capabilities: ['child-process', 'net'],
  perDirectory: { create: () => ({}), merge },
  perServer: { create: () => ({}), merge },
  directives,
  register(host) {
    const providers = new WeakMap<Readonly<OpenIdServerConfig>, Provider>()
    const passphrases = new WeakMap<Readonly<OpenIdServerConfig>, Passphrase>()
    const none = new Passphrase('')
    const parts: OpenIdParts = {
      host,
      cookies: new Cookies(host),
      sessions: new SessionStore(host.services.shared('mod_auth_openidc.c', STORE_SIZE)),
      providerOf: ({ server }) => {
        const config = host.serverConfigOf(server)
        const known = providers.get(config)
        if (known !== undefined) return known
        const provider = new Provider(config)
        providers.set(config, provider)
        host.onEnd(() => provider.end())
        return provider
      },
      passphraseOf: ({ server }) => {
        const config = host.serverConfigOf(server)
        const known = passphrases.get(config)
        if (known !== undefined) return known
        const { metadataUrl, issuer, clientId, passphrase = none } = config
        const own = passphrase.within(JSON.stringify([metadataUrl?.href, issuer, clientId]))
        passphrases.set(config, own)
        return own
      },
    }
    const logins = new Logins(parts)
    const refreshes = new TokenRefreshes(parts)
    const redirectUri = new RedirectUri(parts, logins, refreshes)
    const authentication = new OpenIdAuthentication(parts, logins, refreshes, new IdentityFields())
    const isServed = (request: Request): boolean => {
      const config = host.serverConfigOf(request.server)
      return isForRedirectUri(request, config) && missingOf(config) === null
    }
    addLintRules(host)
    host.hooks.checkConfig.add(({ servers }) => {
      const headers = [...servers.map((server) => host.defaultsOf(server)), ...host.placedConfigs().map(({ config }) => config)]
      authentication.rememberHeaders(headers.flatMap(({ authnHeader }) => authnHeader ?? []))
    })
    // Wherever the configuration of a request is known, also of sub-requests and where access is granted to everybody.
    host.hooks.postPerdirConfig.add(
      (request) => {
        authentication.clean(request)
        return DECLINED
      },
      { rank: 'really-first' },
    )
    // The redirect URI is nobody's page: rules for pages, such as Require claim, would make logins impossible. It is served here and
    // not by a handler, because a rewriting in between would lead from a request that nobody has authenticated to a page.
    host.hooks.accessCheckerEx.add(
      (request) => {
        if (!isServed(request)) return DECLINED
        if (request.tracer !== null) {
          traceDirective(request, 'OIDCRedirectURI', null, 'serves the way back from the provider: Require does not apply')
          return OK
        }
        return whenSettled(redirectUri.serve(request), (outcome) => (outcome === OK ? DONE : outcome))
      },
      { rank: 'really-first', decidesBy: 'configuration' },
    )
    host.hooks.checkUserId.add((request) => authentication.checkUser(request), { decidesBy: 'configuration' })
    host.hooks.noteAuthFailure.add((request, type) => authentication.noteFailure(request, type))
    host.providers
      .of(claimSources)
      .add('openid-connect', { form: 'pairs', claims: (request) => authentication.claimsOf(request) })
    addRequireClaim(host)
  },
})
export default authOpenId
