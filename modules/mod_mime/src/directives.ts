import { contexts, type DirectiveTable, type DirectoryDirective, directive } from '@gatewright/api'
import type { ExtensionInfo, MimeConfig, MimeServerConfig, MultiviewsChoice } from './config.ts'
import { parseMediaType } from './media-type.ts'

/** A property that a directive sets for extensions. */
type Attribute = Exclude<keyof ExtensionInfo, 'type'>

export const directives: DirectiveTable<MimeConfig, MimeServerConfig> = {
  TypesConfig: directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help: 'file that lists media types and their extensions',
    set: (config, path, command) => {
      config.typesFile = command.serverRelative(path)
    },
  }),
  AddType: directive.iterate2({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'a media type and its extensions',
    set: (config, type, extension) => {
      infoOf(config, extension).type = parseMediaType(type.toLowerCase())
    },
  }),
  AddEncoding: add('encoding', 'a content coding such as gzip and its extensions'),
  AddLanguage: add('language', 'a language tag such as fr and its extensions'),
  AddCharset: add('charset', 'a character set and its extensions'),
  AddHandler: add('handler', 'a handler and the extensions of files that it serves'),
  AddInputFilter: add('inputFilters', 'input filters separated by ;, and the extensions of files to which they apply'),
  AddOutputFilter: add('outputFilters', 'output filters separated by ;, and the extensions of files to which they apply'),
  // Unlike the other Remove... directives, this one takes effect where it is written, and hides the types file too.
  RemoveType: directive.iterate({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'extensions to disassociate from media types',
    set: (config, extension) => {
      infoOf(config, extension).type = null
    },
  }),
  RemoveEncoding: remove('encoding', 'extensions to disassociate from content codings'),
  RemoveLanguage: remove('language', 'extensions to disassociate from languages'),
  RemoveCharset: remove('charset', 'extensions to disassociate from character sets'),
  RemoveHandler: remove('handler', 'extensions to disassociate from handlers'),
  RemoveInputFilter: remove('inputFilters', 'extensions to disassociate from input filters'),
  RemoveOutputFilter: remove('outputFilters', 'extensions to disassociate from output filters'),
  DefaultLanguage: directive.take1({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'language tag of files whose names do not specify one',
    set: (config, tag) => {
      config.defaultLanguage = tag
    },
  }),
  ModMimeUsePathInfo: directive.flag({
    scope: 'directory',
    context: ['directory'],
    help: 'whether path information after the file name can contribute extensions',
    set: (config, on) => {
      config.usePathInfo = on
    },
  }),
  MultiviewsMatch: directive.iterate({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'NegotiatedOnly, Handlers and Filters, or Any',
    set: (config, word) => {
      const choice = combine(config.multiviewsMatch, word)
      if ('error' in choice) return choice.error
      config.multiviewsMatch = choice.choice
      return undefined
    },
  }),
}

/** As in httpd, the value is converted to lower case, even for handlers and languages. */
function add(attribute: Attribute, help: string): DirectoryDirective<MimeConfig, 'iterate2'> {
  return directive.iterate2<MimeConfig>({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help,
    set: (config, value, extension) => {
      infoOf(config, extension)[attribute] = value.toLowerCase()
    },
  })
}

/** @see MimeConfig.removals */
function remove(attribute: Attribute, help: string): DirectoryDirective<MimeConfig, 'iterate'> {
  return directive.iterate<MimeConfig>({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help,
    set: (config, extension) => {
      config.removals.push({ extension: nameOf(extension), attribute })
    },
  })
}

/** An extension in lower case, without dot. */
function nameOf(extension: string): string {
  return (extension.startsWith('.') ? extension.slice(1) : extension).toLowerCase()
}

function infoOf(config: MimeConfig, extension: string): ExtensionInfo {
  const key = nameOf(extension)
  let info = config.extensions.get(key)
  if (info === undefined) {
    info = {}
    config.extensions.set(key, info)
  }
  return info
}

/** Adds an option of MultiviewsMatch to the preceding ones. Only Handlers and Filters can be combined. */
function combine(
  before: MultiviewsChoice | undefined,
  word: string,
): { readonly choice: MultiviewsChoice } | { readonly error: string } {
  switch (word.toLowerCase()) {
    case 'any':
      return before === undefined || before === 'any'
        ? { choice: 'any' }
        : { error: 'Any is incompatible with NegotiatedOnly, Filters and Handlers' }
    case 'negotiatedonly':
      return before === undefined || before === 'negotiated-only'
        ? { choice: 'negotiated-only' }
        : { error: 'NegotiatedOnly is incompatible with Any, Filters and Handlers' }
    case 'filters':
      if (before === 'any' || before === 'negotiated-only')
        return { error: 'Filters is incompatible with Any and NegotiatedOnly' }
      return { choice: before === undefined || before === 'filters' ? 'filters' : 'filters-and-handlers' }
    case 'handlers':
      if (before === 'any' || before === 'negotiated-only')
        return { error: 'Handlers is incompatible with Any and NegotiatedOnly' }
      return { choice: before === undefined || before === 'handlers' ? 'handlers' : 'filters-and-handlers' }
    default:
      return { error: `Unrecognized option '${word}'` }
  }
}
