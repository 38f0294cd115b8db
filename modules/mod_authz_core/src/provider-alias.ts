import { type AuthzProvider, type Command, isCommandError, type SetResult } from '@gatewright/api'

/** A provider that is an alias of another one, with fixed arguments. */
interface AliasProvider extends AuthzProvider {
  readonly aliasOf: string
}

export function isAlias(provider: AuthzProvider): boolean {
  return 'aliasOf' in provider
}

/**
 * `<AuthzProviderAlias BASE ALIAS ["ARGUMENTS"]>`: registers ALIAS as BASE with these arguments. While the
 * check runs, the directives inside are merged over the request's configuration. Arguments after the alias in
 * a Require line are ignored.
 */
export function addProviderAlias(_server: unknown, text: string, command: Command): SetResult {
  const section = command.sectionArgument(text)
  if ('error' in section) return section.error
  const [base, alias, argument = '', surplus] = command.words(section.argument)
  if (!base || !alias) return '<AuthzProviderAlias> directive requires additional arguments'

  const overlay = command.walkOverlay(['AuthConfig'])
  if (isCommandError(overlay)) return overlay

  const group = command.services.providers.authz
  const provider = group.get(base)
  if (provider === undefined) return `Unknown Authz provider: ${base}`
  if (surplus !== undefined) command.report('warn', 'AH10142', unquoted(argument, surplus))

  const check = provider.parse(argument, command)
  if (typeof check !== 'function') {
    const problem = typeof check === 'string' ? { message: check } : check
    return { ...problem, message: `Can't parse 'Require ${base} ${argument}': ${problem.message}` }
  }
  const aliasProvider: AliasProvider = {
    aliasOf: base,
    decidesBy: 'configuration',
    parse: () => (request) => request.withOverlay(overlay, () => check(request)),
  }
  group.add(alias, aliasProvider, { replace: true })
  return undefined
}

function unquoted(first: string, second: string): string {
  return (
    `When several arguments (${first} ${second}...) are passed to a <AuthzProviderAlias directive, they must be enclosed in ` +
    'quotation marks.  Otherwise, only the first one is taken into account'
  )
}
