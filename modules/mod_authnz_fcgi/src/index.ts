import {
  DECLINED,
  defineModule,
  type HostServices,
  type MaybePromise,
  type Module,
  type OsError,
  type Outcome,
  type Problem,
} from '@gatewright/api'
import type { Authorizer } from './authorizer.ts'
import { isLiteral } from './authorizer-address.ts'
import { AuthorizerLogin } from './check-authn.ts'
import { type CheckConfig, createDefined, type DefinedAuthorizers, mergeCheck, mergeDefined } from './config.ts'
import { directives } from './directives.ts'
import { applyStatusLine, type StatusLine } from './take-fields.ts'

const authnzFcgi: Module<CheckConfig, DefinedAuthorizers> = defineModule<CheckConfig, DefinedAuthorizers>({
  name: 'authnz_fcgi_module',
  source: 'mod_authnz_fcgi.c',
  capabilities: ['net'],
  perDirectory: { create: () => ({}), merge: mergeCheck },
  perServer: { create: createDefined, merge: mergeDefined },
  directives,
  register(host) {
    const { hooks, log, services, configOf, serverConfigOf, onEnd } = host
    const parts = { services, log, granted: host.requestSlot<Set<string>>(), statusLines: host.requestSlot<StatusLine>() }
    const defined: Authorizer[] = []
    const authorizers = new Map<string, Authorizer>()
    hooks.checkConfig.add(async ({ servers }) => {
      for (const server of servers) {
        for (const authorizer of serverConfigOf(server).authorizers) {
          const problem = await resolve(authorizer, services)
          if (problem !== undefined) return problem
          authorizer.attach(parts)
          defined.push(authorizer)
          if (authorizer.isAuthn) authorizers.set(authorizer.name, authorizer)
        }
      }
      return undefined
    })
    const login = new AuthorizerLogin(host, (name) => authorizers.get(name))
    hooks.checkUserId.add(
      (request): MaybePromise<Outcome> => {
        const { provider } = configOf(request)
        return provider === undefined || provider === null ? DECLINED : login.check(request, provider)
      },
      { before: ['mod_auth_basic.c'] },
    )
    hooks.fixupHeaders.add((request) => {
      const line = parts.statusLines.get(request)
      if (line !== undefined) applyStatusLine(request, line)
    })
    onEnd(() => {
      for (const authorizer of defined) authorizer.close()
    })
  },
})

/** What the system's resolver says of a name without addresses. */
const NOT_KNOWN: OsError = { code: 670_002, text: 'Name or service not known' }

/** Finds the address of the host, once per start as in httpd. */
async function resolve(authorizer: Authorizer, services: HostServices): Promise<Problem | undefined> {
  const { backend } = authorizer
  if (isLiteral(backend)) return undefined
  const [address] = backend.host === '' ? [] : await services.addressesOf(backend.host)
  if (address === undefined) {
    return {
      message: 'AuthnzFcgiDefineProvider: Error resolving backend address',
      hint: `${backend.url}: the name ${backend.host} has no address`,
      place: authorizer.place,
      before: { code: 'AH02530', message: `Address ${backend.url} could not be resolved`, cause: NOT_KNOWN },
    }
  }
  authorizer.address = address
  return undefined
}

export default authnzFcgi
