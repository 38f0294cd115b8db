import { directive } from '@gatewright/api'
import { OR_ALL, OR_AUTHCFG, OR_FILEINFO, OR_INDEXES, OR_LIMIT, OR_OPTIONS } from '../../base/context-bits.ts'
import { internals } from '../../config/command-impl.ts'
import { OPT_ALL, OPT_MULTI_VIEWS, type OverrideGrant } from '../../model/directory-config.ts'
import { optionBit } from './options-words.ts'
import { type CoreTable, SERVERS } from './types.ts'

const CLASSES: Readonly<Record<string, number>> = {
  limit: OR_LIMIT,
  authconfig: OR_AUTHCFG,
  fileinfo: OR_FILEINFO,
  indexes: OR_INDEXES,
  options: OR_OPTIONS,
  all: OR_ALL,
  none: 0,
}

const EVERY_OPTION = OPT_ALL | OPT_MULTI_VIEWS | 16

/**
 * The directives allowed in .htaccess files: AllowOverride and AllowOverrideList; and the names of these
 * files.
 */
export const overrideDirectives: CoreTable = {
  AllowOverride: directive.raw({
    scope: 'directory',
    context: ['directory'],
    help: 'classes of directives allowed in .htaccess files',
    set: (config, text, command) => {
      uselessOutsideDirectory('AllowOverride', command)
      const grant = parseAllowOverride(command.words(text))
      if (typeof grant === 'string') return grant
      config.override = grant
      return undefined
    },
  }),
  AllowOverrideList: directive.argv({
    scope: 'directory',
    context: ['directory'],
    help: 'individual directives allowed in .htaccess files',
    set: (config, names, command) => {
      uselessOutsideDirectory('AllowOverrideList', command)
      if (names.some((name) => name.toLowerCase() === 'none')) {
        if (names.length > 1) return "'None' not allowed with other directives in AllowOverrideList"
        config.overrideList = new Set()
        return undefined
      }
      const { registry } = internals(command).context.configuration
      const list = new Set<string>()
      for (const name of names) {
        const bound = registry.directive(name)?.[0]
        const at = `${command.file}:${command.line}`
        if (bound === undefined)
          command.report('warn', 'AH00116', `Discarding unrecognized directive \`${name}' in AllowOverrideList at ${at}`)
        else if ((bound.required & (OR_ALL | 64)) === 0) {
          command.report('warn', 'AH02304', `Discarding directive \`${name}' not allowed in AllowOverrideList at ${at}`)
        } else list.add(bound.name.toLowerCase())
      }
      config.overrideList = list
      return undefined
    },
  }),
  AccessFileName: directive.argv({
    scope: 'server',
    context: SERVERS,
    help: 'names of per-folder configuration files',
    set: (config, names) => {
      config.accessFileNames = names
    },
  }),
}

/** Sections without the warning: httpd gives it in those of locations and files. */
const QUIET: readonly string[] = ['Directory', 'DirectoryMatch', 'Proxy', 'ProxyMatch']

function uselessOutsideDirectory(name: 'AllowOverride' | 'AllowOverrideList', command: Parameters<typeof internals>[0]): void {
  const { kind } = command.section
  if (QUIET.includes(kind) && !internals(command).context.narrowed) return
  if (name === 'AllowOverride')
    command.report('warn', 'AH00114', `Useless use of ${name} in line ${command.line} of ${command.file}.`)
  else command.report('warn', 'AH00115', `Useless use of ${name} at ${command.file}:${command.line}`)
}

function parseAllowOverride(words: readonly string[]): OverrideGrant | string {
  let bits = 0
  let options = EVERY_OPTION
  let nonfatalOverride = false
  let nonfatalUnknown = false
  for (const word of words) {
    const [name, value] = splitAt(word, '=')
    const lower = name.toLowerCase()
    if (lower === 'nonfatal') {
      switch (value?.toLowerCase()) {
        case 'override':
          nonfatalOverride = true
          break
        case 'unknown':
          nonfatalUnknown = true
          break
        case 'all':
          nonfatalOverride = true
          nonfatalUnknown = true
          break
        case undefined:
          return '=Override, =Unknown or =All expected after Nonfatal'
      }
      continue
    }
    const bit = CLASSES[lower]
    if (bit === undefined) return `Illegal override option ${word}`
    if (lower === 'all' || lower === 'none') {
      // As in httpd, they discard the words before them, including `Nonfatal`.
      bits = bit
      nonfatalOverride = false
      nonfatalUnknown = false
    } else bits |= bit
    if (lower === 'options' && value !== undefined) {
      options = 0
      for (const option of value.split(',').filter(Boolean)) {
        const optionBits = option.toLowerCase() === 'none' ? 0 : optionBit(option)
        if (optionBits === undefined) return `Illegal option ${option}`
        options |= optionBits
      }
    }
  }
  return { bits, options, nonfatalOverride, nonfatalUnknown }
}

function splitAt(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}
