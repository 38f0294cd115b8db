import { directive, type SetResult } from '@gatewright/api'
import { nextWord, openingArgument, splitWords } from '@gatewright/config'
import { fnmatch, hasWildcards } from '@gatewright/expr'
import { SECTION_OFFERS, SERVER_OFFERS } from '../../base/context-bits.ts'
import { mergeSlashes } from '../../base/uri-path.ts'
import { type CommandImpl, internals } from '../../config/command-impl.ts'
import type { MutableCoreDirectory } from '../../model/directory-config.ts'
import type { Section, SectionMatch } from '../../model/section.ts'
import { createCoreServer } from '../../model/server-config.ts'
import { ServerRecord } from '../../model/server-record.ts'
import { parseVirtualHostAddress } from '../../model/virtual-host-address.ts'
import { canonicalPath, trimSlash } from '../../sections/canonical-path.ts'
import { ANYWHERE, type CoreTable, SERVERS } from './types.ts'

/**
 * The sections: each makes a separate per-directory configuration and adds it where the walks of a request
 * find it.
 *
 * <Directory [~] PATH> <DirectoryMatch REGEX> <Location [~] URL> <Files [~] NAME> <If EXPR> <VirtualHost
 * ADDR...>
 */
export const sectionDirectives: CoreTable = {
  '<Directory': directive.section({
    scope: 'server',
    context: SERVERS,
    help: 'directives for a folder and everything below it',
    set: (_config, text, command) => directory(internals(command), text, 'Directory'),
  }),
  '<DirectoryMatch': directive.section({
    scope: 'server',
    context: SERVERS,
    help: 'directives for folders that match a pattern',
    set: (_config, text, command) => directory(internals(command), text, 'DirectoryMatch'),
  }),
  '<Location': directive.section({
    scope: 'server',
    context: SERVERS,
    help: 'directives for URLs that begin with a path',
    set: (_config, text, command) => location(internals(command), text, 'Location'),
  }),
  '<LocationMatch': directive.section({
    scope: 'server',
    context: SERVERS,
    help: 'directives for URLs that match a pattern',
    set: (_config, text, command) => location(internals(command), text, 'LocationMatch'),
  }),
  '<Files': directive.section({
    scope: 'directory',
    context: ANYWHERE,
    override: 'All',
    help: 'directives for files with a name',
    set: (config, text, command) => files(config, internals(command), text, 'Files'),
  }),
  '<FilesMatch': directive.section({
    scope: 'directory',
    context: ANYWHERE,
    override: 'All',
    help: 'directives for files whose names match a pattern',
    set: (config, text, command) => files(config, internals(command), text, 'FilesMatch'),
  }),
  '<If': directive.section({
    scope: 'directory',
    context: ANYWHERE,
    override: 'All',
    help: 'directives for requests that satisfy an expression',
    set: (config, text, command) => conditional(config, internals(command), text, 'if'),
  }),
  '<ElseIf': directive.section({
    scope: 'directory',
    context: ANYWHERE,
    override: 'All',
    help: 'alternative condition after <If>',
    set: (config, text, command) => conditional(config, internals(command), text, 'elseif'),
  }),
  '<Else': directive.section({
    scope: 'directory',
    context: ANYWHERE,
    override: 'All',
    help: 'directives that apply if no preceding condition holds',
    set: (config, text, command) => conditional(config, internals(command), text, 'else'),
  }),
  '<VirtualHost': directive.section({
    scope: 'server',
    context: SERVERS,
    help: 'directives for a virtual host at the given addresses',
    set: (_config, text, command) => virtualHost(internals(command), text),
  }),
}

/** The argument of a section, one word; after `~` it is a pattern. */
function sectionPath(
  command: CommandImpl,
  text: string,
  form: 'plain' | 'match',
): { path: string; regex: boolean } | { error: string } {
  const opening = openingArgument(command.name, text)
  if ('error' in opening) return opening
  let { word, rest } = nextWord(opening.argument)
  let regex = form === 'match'
  if (!regex && word === '~') {
    regex = true
    ;({ word, rest } = nextWord(rest))
  }
  if (rest !== '') return { error: `Multiple ${command.name}> arguments not (yet) supported.` }
  return { path: word, regex }
}

function makeMatch(
  command: CommandImpl,
  path: string,
  regex: boolean,
  wildcards: { readonly pathname: boolean },
): SectionMatch | { readonly error: string } {
  const depth = path.split('/').length - 1
  if (regex) {
    const pattern = command.services.pattern(path)
    if ('error' in pattern) return { error: 'Regex could not be compiled' }
    return { path, pattern, wildcard: null, depth }
  }
  const wildcard = hasWildcards(path) ? fnmatch(path, wildcards) : null
  return { path, pattern: null, wildcard, depth }
}

function directory(command: CommandImpl, text: string, kind: 'Directory' | 'DirectoryMatch'): SetResult {
  const parsed = sectionPath(command, text, kind === 'DirectoryMatch' ? 'match' : 'plain')
  if ('error' in parsed) return parsed.error
  const path = parsed.regex ? parsed.path : folderPath(parsed.path)
  const match = makeMatch(command, path, parsed.regex, { pathname: true })
  if ('error' in match) return match.error
  // The root is above every folder of one component, so its depth is smaller.
  const placed: SectionMatch = path === '/' ? { ...match, depth: 0 } : match
  const section = command.newSection(parsed.regex ? 'DirectoryMatch' : 'Directory', title(command), path, placed)
  command.server.core.directorySections.push(section)
  return command.walkInto(section, { offers: SECTION_OFFERS })
}

/**
 * A path in the form of folders in walks: without empty, `.` and `..` segments and without a trailing slash.
 * In any other form the section would never apply.
 */
function folderPath(path: string): string {
  return trimSlash(path.startsWith('/') ? canonicalPath(path) : mergeSlashes(path))
}

function location(command: CommandImpl, text: string, kind: 'Location' | 'LocationMatch'): SetResult {
  const parsed = sectionPath(command, text, kind === 'LocationMatch' ? 'match' : 'plain')
  if ('error' in parsed) return parsed.error
  const match = makeMatch(command, parsed.path, parsed.regex, { pathname: true })
  if ('error' in match) return match.error
  const section = command.newSection(parsed.regex ? 'LocationMatch' : 'Location', title(command), parsed.path, match)
  command.server.core.locationSections.push(section)
  return command.walkInto(section, { offers: SECTION_OFFERS })
}

function files(config: MutableCoreDirectory, command: CommandImpl, text: string, kind: 'Files' | 'FilesMatch'): SetResult {
  const misplaced = refuseInside(command)
  if (misplaced !== undefined) return misplaced
  const parsed = sectionPath(command, text, kind === 'FilesMatch' ? 'match' : 'plain')
  if ('error' in parsed) return parsed.error
  const match = makeMatch(command, parsed.path, parsed.regex, { pathname: false })
  if ('error' in match) return match.error
  const section = command.newSection(parsed.regex ? 'FilesMatch' : 'Files', title(command), parsed.path, match)
  config.fileSections.push(section)
  return command.walkInto(section, command.inHtaccess ? {} : { offers: SECTION_OFFERS })
}

/** Files is not allowed in Location; neither Files nor If is allowed in Limit. */
function refuseInside(command: CommandImpl, where: { readonly location: boolean } = { location: true }): string | undefined {
  const name = `${command.name}>`
  if (command.context.narrowed) return `${name} cannot occur within <Limit> or <LimitExcept> section`
  if (!where.location) return undefined
  for (let { parent } = command.node; parent !== null; parent = parent.parent) {
    if (/^<location(match)?$/i.test(parent.name)) return `${name} cannot occur within ${parent.name}> section`
  }
  return undefined
}

function conditional(
  config: MutableCoreDirectory,
  command: CommandImpl,
  text: string,
  chain: 'if' | 'elseif' | 'else',
): SetResult {
  const misplaced = refuseInside(command, { location: false })
  if (misplaced !== undefined) return misplaced
  const previous = config.ifSections.at(-1)
  if (chain !== 'if' && (previous === undefined || previous.chain === 'else' || previous.section.parent !== command.section)) {
    return '<Else> or <ElseIf> section without previous <If> or <ElseIf> section in same scope'
  }
  if (chain === 'else') {
    const close = text.lastIndexOf('>')
    if (close < 0) return `${command.name}> directive missing closing '>'`
    if (text.slice(0, close).trim() !== '') return '<Else> does not take an argument'
    return addConditional(config, command, null, chain)
  }
  const opening = openingArgument(command.name, text)
  if ('error' in opening) return opening.error
  const { word, rest } = nextWord(opening.argument)
  const condition = command.services.condition(word, command)
  if ('error' in condition) return `Cannot parse condition clause: ${condition.error}`
  if (rest !== '') return `Multiple ${command.name}> arguments not supported.`
  return addConditional(config, command, condition, chain)
}

function addConditional(
  config: MutableCoreDirectory,
  command: CommandImpl,
  condition: MutableCoreDirectory['ifSections'][number]['condition'],
  chain: 'if' | 'elseif' | 'else',
): SetResult {
  const section = command.newSection('If', title(command), '', null)
  config.ifSections.push({ section, condition, chain })
  return command.walkInto(section, command.inHtaccess ? {} : { offers: SECTION_OFFERS })
}

function virtualHost(command: CommandImpl, text: string): SetResult {
  const { configuration } = command.context
  if (command.server.isVirtual) return '<VirtualHost> cannot occur within <VirtualHost> section'
  const opening = openingArgument(command.name, text)
  if ('error' in opening) return opening.error
  const host = new ServerRecord(createCoreServer(), { isVirtual: true, file: command.file, line: command.line })
  const { serverPort } = configuration.main
  for (const word of splitWords(opening.argument)) {
    if (word === '') continue
    const found = parseVirtualHostAddress(word, serverPort)
    if ('error' in found) return found.error
    if ('ignored' in found) configuration.report('core', 'error', found.ignored.code, found.ignored.text)
    else host.addresses.push(...found.addresses)
  }
  host.standardPort = host.addresses[0]?.port || serverPort
  configuration.virtualHosts.push(host)
  const section: Section = command.newSection('VirtualHost', title(command), opening.argument, null, host)
  host.defaults = section
  return command.walkInto(section, { server: host, offers: SERVER_OFFERS })
}

function title(command: CommandImpl): string {
  const close = command.text.lastIndexOf('>')
  return `${command.typedName}${command.text === '' ? '' : ' '}${close < 0 ? command.text : command.text.slice(0, close + 1)}`
}
