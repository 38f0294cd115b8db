import { type Command, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import type { ConfiguredDomain, DomainSettings, MdSettings } from '../settings.ts'
import { IN_SERVERS, refuseInside, refuseOutside, settingsOf } from './places.ts'

const MEMBERS_HELP =
  "Define domain name(s) part of the Managed Domain. Use 'auto' or 'manual' to enable/disable auto adding names from virtual hosts."

/** Directives that define groups of names. */
export const domainDirectives: DirectiveTable<undefined, MdSettings> = {
  MDomain: directive.argv({ ...IN_SERVERS, help: 'A group of server names with one certificate', set: addDomain }),
  '<MDomainSet': directive.section({
    ...IN_SERVERS,
    help: 'Container for a managed domain with common settings and certificate.',
    set: addSection,
  }),
  '<MDomain': directive.section({ ...IN_SERVERS, help: 'Short form for <MDomainSet> container.', set: addSection }),
  MDMember: directive.argv({ ...IN_SERVERS, help: MEMBERS_HELP, set: addMembers }),
  MDMembers: directive.argv({ ...IN_SERVERS, help: MEMBERS_HELP, set: addMembers }),
  MDCertificateFile: directive.take1({
    ...IN_SERVERS,
    help: 'set the static certificate (chain) file to use for this domain.',
    set: ({ current }: MdSettings, path, command) => addFile(current?.certificateFiles, path, command),
  }),
  MDCertificateKeyFile: directive.take1({
    ...IN_SERVERS,
    help: 'set the static private key file to use for this domain.',
    set: ({ current }: MdSettings, path, command) => addFile(current?.keyFiles, path, command),
  }),
}

function addDomain(config: MdSettings, words: readonly string[], command: Command): SetResult {
  const refused = refuseInside(config, command)
  if (refused !== undefined) return refused
  const domain = domainOf(words, { file: command.file, line: command.line })
  if (domain.domains.length === 0) return 'needs at least one domain name'
  config.domains.push(domain)
  return undefined
}

/** Also for `<MDomain`, in whose messages httpd writes the longer name. */
function addSection(config: MdSettings, text: string, command: Command): SetResult {
  const refused = refuseInside(config, command)
  if (refused !== undefined) return refused
  const end = text.lastIndexOf('>')
  if (end < 0) return "<MDomainSet> directive missing closing '>'"
  const argument = text.slice(0, end)
  if (argument === '') return '<MDomainSet > section must specify a unique domain name'
  const [first = '', ...others] = command.words(argument)
  const domain = domainOf(others, undefined, [first])
  config.current = domain
  const error = command.walk()
  config.current = null
  if (error !== undefined) return error
  config.domains.push(domain)
  return undefined
}

function domainOf(words: readonly string[], place: ConfiguredDomain['place'], names: readonly string[] = []): ConfiguredDomain {
  const domain: ConfiguredDomain = { domains: [], settings: {}, certificateFiles: [], keyFiles: [], place }
  for (const name of names) addName(domain, name)
  for (const word of words) addNameOrMode(domain, domain.settings, word)
  return domain
}

function addMembers(config: MdSettings, words: readonly string[], command: Command): SetResult {
  const { current } = config
  if (current === null) {
    if (words.length !== 1) return refuseOutside(command)
    return setMode(settingsOf(config), words[0]) ? undefined : 'unknown value, use "auto|manual"'
  }
  for (const word of words) addNameOrMode(current, current.settings, word)
  return undefined
}

function addNameOrMode(domain: ConfiguredDomain, settings: DomainSettings, word: string): void {
  if (!setMode(settings, word)) addName(domain, word)
}

function addName({ domains }: ConfiguredDomain, name: string): void {
  const lower = name.toLowerCase()
  if (!domains.includes(lower)) domains.push(lower)
}

function setMode(settings: DomainSettings, word: string): boolean {
  const lower = word.toLowerCase()
  if (lower !== 'auto' && lower !== 'manual') return false
  settings.transitive = lower === 'auto'
  return true
}

function addFile(files: string[] | undefined, path: string, command: Command): SetResult {
  if (files === undefined) return refuseOutside(command)
  files.push(command.serverRelative(path))
  return undefined
}
