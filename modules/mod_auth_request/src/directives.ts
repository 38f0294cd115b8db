import { type Command, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import { isNetworkError, parseNetwork } from '@gatewright/ipset'
import type { AuthRequestConfig } from './config.ts'
import { addedFields, readFieldNames } from './field-names.ts'

/** Sections of the server's files only: a .htaccess file must not choose whom the server believes. */
const common = { scope: 'directory', context: ['directory'] } as const

const FIELD_NAME = /^[!#$%&'*+.^_`|~\w-]+$/

export const directives: DirectiveTable<AuthRequestConfig, undefined> = {
  AuthRequestFields: directive.argv({
    ...common,
    help: 'the kind of proxy that asks for decisions, and changed names of its fields',
    set: (config: AuthRequestConfig, words) => {
      const names = readFieldNames(words)
      if (typeof names === 'string') return names
      config.fields = { names, added: addedFields(names), isNginx: words[0].toLowerCase() === 'nginx' }
      return undefined
    },
  }),
  AuthRequestTrust: directive.iterate({
    ...common,
    help: 'networks of the proxies whose questions are answered',
    set: (config: AuthRequestConfig, word) => {
      const network = parseNetwork(word)
      if (isNetworkError(network) && /\/0+$/.test(word)) {
        return `AuthRequestTrust: '${word}' is everybody, and every client could name any address as its own: name the proxies`
      }
      if (isNetworkError(network)) return `AuthRequestTrust: '${word}' is not an address or a network, such as 10.0.0.0/8`
      config.trusted = [...(config.trusted ?? []), network]
      return undefined
    },
  }),
  AuthRequestSet: directive.take2({
    ...common,
    help: 'a field of the answer, and an expression for its value about the original request',
    set: (config: AuthRequestConfig, name, source, command) => {
      if (!FIELD_NAME.test(name)) return `AuthRequestSet: '${name}' is not the name of a field`
      const value = command.services.text(source, command)
      if ('error' in value) return `AuthRequestSet: cannot parse expression '${source}': ${value.error}`
      const { file, line } = command
      config.sets = [...(config.sets ?? []), { name, value, place: { name: 'AuthRequestSet', file, line } }]
      return undefined
    },
  }),
  AuthRequestGroups: directive.argv({
    ...common,
    help: 'a field of the answer, a form of Require, and names: those for which the user would be admitted are sent',
    set: addGroups,
  }),
  AuthRequestReason: directive.take12({
    ...common,
    help: 'a field of the answer with the rules that decided, and who may see it: all, or an expression about the original request',
    set: setReason,
  }),
  AuthRequestPaths: directive.take1({
    ...common,
    help: 'strict: paths that servers read differently are refused; any: they are decided as if sent to this server',
    set: (config: AuthRequestConfig, word) => {
      const paths = word.toLowerCase()
      if (paths !== 'strict' && paths !== 'any') return 'AuthRequestPaths must be strict or any'
      config.paths = paths
      return undefined
    },
  }),
}

function addGroups(config: AuthRequestConfig, words: readonly string[], command: Command): SetResult {
  const [name = '', providerName = '', ...names] = words
  if (!FIELD_NAME.test(name) || names.length === 0) {
    return 'AuthRequestGroups needs a field, a form of Require and names: AuthRequestGroups Remote-Groups group admins editors'
  }
  const provider = command.services.providers.authz.get(providerName)
  if (provider === undefined) return `AuthRequestGroups: no loaded module has Require ${providerName}`
  const groups = []
  for (const group of names) {
    if (!/^[\x21-\x2b\x2d-\x7e]+$/.test(group)) return `AuthRequestGroups: '${group}' cannot be sent in a list`
    const check = provider.parse(group, command)
    if (typeof check !== 'function') return check
    groups.push({ name: group, check })
  }
  config.groups = [...(config.groups ?? []), { name, groups }]
  return undefined
}

function setReason(config: AuthRequestConfig, name: string, who: string | undefined, command: Command): SetResult {
  if (who === undefined) {
    if (name.toLowerCase() !== 'none') return 'AuthRequestReason needs a field and who may see it: all, or an expression'
    config.reason = null
    return undefined
  }
  if (!FIELD_NAME.test(name)) return `AuthRequestReason: '${name}' is not the name of a field`
  if (who.toLowerCase() === 'all') {
    config.reason = { name, who: null }
    return undefined
  }
  const condition = command.services.condition(who, command, { vary: 'untold' })
  if ('error' in condition) return `AuthRequestReason: cannot parse expression '${who}': ${condition.error}`
  config.reason = { name, who: condition }
  return undefined
}
