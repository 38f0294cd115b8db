import { type Command, contexts, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import { Authorizer, type AuthorizerKind } from './authorizer.ts'
import { backendAddress } from './authorizer-address.ts'
import { setCheck } from './check-options.ts'
import type { CheckConfig, DefinedAuthorizers } from './config.ts'
import { AuthnByAuthorizer, AuthzByAuthorizer } from './providers.ts'

export const directives: DirectiveTable<CheckConfig, DefinedAuthorizers> = {
  AuthnzFcgiDefineProvider: directive.raw({
    scope: 'server',
    context: contexts.inServers,
    help: 'Define a FastCGI authn and/or authz provider',
    set: define,
  }),
  AuthnzFcgiCheckAuthnProvider: directive.raw({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'Enable/disable a FastCGI authorizer to handle check_authn phase',
    set: setCheck,
  }),
}

/** `AuthnzFcgiDefineProvider authn|authz|authnz NAME fcgi://HOST:PORT/`. The last definition of a name counts. */
function define(config: DefinedAuthorizers, text: string, command: Command): SetResult {
  const refuse = (what: string): string => `${command.name}: ${what}`
  const [type = '', name = '', url = '', surplus] = command.words(text)
  if (type === '') return refuse('No type given')
  const kind = kindOf(type)
  if (kind === null) return refuse(`Invalid provider type ${type}`)
  if (name === '') return refuse('No provider name given')
  if (url === '') return refuse('No backend-address given')
  if (surplus !== undefined) return refuse(`Unexpected parameter ${surplus}`)
  const address = backendAddress(url)
  if (typeof address === 'string') return refuse(address)

  const { authn, authz } = command.services.providers
  const authorizer = new Authorizer(name, kind, address, { file: command.file, line: command.line })
  const isTaken =
    (authorizer.isAuthn && !isFree(authn.get(name), AuthnByAuthorizer)) ||
    (authorizer.isAuthz && !isFree(authz.get(name), AuthzByAuthorizer))
  if (isTaken) {
    return { message: refuse(`another module provides ${name}`), hint: 'choose another name for the provider' }
  }
  if (authorizer.isAuthn) authn.add(name, new AuthnByAuthorizer(authorizer), { replace: true })
  if (authorizer.isAuthz) authz.add(name, new AuthzByAuthorizer(authorizer), { replace: true })
  config.authorizers.push(authorizer)
  return undefined
}

function kindOf(word: string): AuthorizerKind | null {
  const kind = word.toLowerCase()
  return kind === 'authn' || kind === 'authz' || kind === 'authnz' ? kind : null
}

/** Whether nobody has the name, or an earlier line of this directive. */
function isFree(provider: object | undefined, own: typeof AuthnByAuthorizer | typeof AuthzByAuthorizer): boolean {
  return provider === undefined || provider instanceof own
}
