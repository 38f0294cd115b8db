import { type AuthnProvider, type Command, isCommandError, type Overlay, type SetResult } from '@gatewright/api'

/**
 * `<AuthnProviderAlias BASE ALIAS>`: registers ALIAS as BASE. While BASE runs, the directives inside are
 * merged over the request's configuration.
 */
export function addProviderAlias(_server: unknown, text: string, command: Command): SetResult {
  const section = command.sectionArgument(text)
  if ('error' in section) return section.error
  const [base, alias] = command.words(section.argument)
  if (!base || !alias) return '<AuthnProviderAlias> directive requires additional arguments'

  const overlay = command.walkOverlay(['AuthConfig'])
  if (isCommandError(overlay)) return overlay

  if (base === alias) return 'The alias provider name must be different from the base provider name.'
  const group = command.services.providers.authn
  if (group.get(alias) !== undefined) {
    return `The alias provider ${alias} has already be registered previously as either a base provider or an alias provider.`
  }
  const provider = group.get(base)
  if (provider === undefined) return `Unknown Authn provider: ${base}`
  group.add(alias, withOverlay(provider, overlay))
  return undefined
}

/** An alias supports the same methods as its base. */
function withOverlay(base: AuthnProvider, overlay: Overlay): AuthnProvider {
  const { checkPassword, decoy, realmHash } = base
  return {
    // Even if the base decides by other means, the alias has a configuration of its own.
    decidesBy: 'configuration',
    ...(checkPassword !== undefined && {
      checkPassword: (request, user, password) =>
        request.withOverlay(overlay, () => checkPassword.call(base, request, user, password)),
    }),
    ...(decoy !== undefined && {
      decoy: (request) => {
        let found: string | undefined
        request.withOverlay(overlay, () => {
          found = decoy.call(base, request)
        })
        return found
      },
    }),
    ...(realmHash !== undefined && {
      realmHash: (request, user, realm) => request.withOverlay(overlay, () => realmHash.call(base, request, user, realm)),
    }),
  }
}
