import type { DirectiveEntry } from '@gatewright/core'
import type { FileKind } from './file-kind.ts'
import type { Block } from './outline.ts'

/** A position in a configuration: what may be written there. */
export interface Place {
  readonly context: 'server' | 'virtualhost' | 'directory' | 'proxy' | 'htaccess'
  /** Inside `<RequireAll>` and its kin, where only Require lines and their groups belong. */
  readonly isInRequire: boolean
  /** Inside `<Macro>`, which may be used anywhere. */
  readonly isInMacro: boolean
  /** The classes that AllowOverride grants the file; null if unknown. */
  readonly granted: readonly string[] | null
}

const FOLDERS: ReadonlySet<string> = new Set([
  ...['directory', 'directorymatch', 'location', 'locationmatch', 'files', 'filesmatch', 'if', 'elseif', 'else'],
  ...['limit', 'limitexcept', 'authzprovideralias', 'authnprovideralias'],
])
const REQUIRES: ReadonlySet<string> = new Set(['requireall', 'requireany', 'requirenone'])

/** @param around sections, the outermost first */
export function placeIn(kind: FileKind, around: readonly Block[], granted: readonly string[] | null = null): Place {
  const names = around.map(({ name }) => name.toLowerCase())
  const isInMacro = names.includes('macro')
  const isInRequire = REQUIRES.has(names.at(-1) ?? '')
  const context =
    kind === 'htaccess'
      ? 'htaccess'
      : names.some((name) => name === 'proxy' || name === 'proxymatch')
        ? 'proxy'
        : names.some((name) => FOLDERS.has(name))
          ? 'directory'
          : names.includes('virtualhost')
            ? 'virtualhost'
            : 'server'
  return { context, isInRequire, isInMacro, granted }
}

/** Whether a directive may be written at a place. */
export function isAllowed(entry: DirectiveEntry, { context, isInRequire, isInMacro, granted }: Place): boolean {
  if (isInRequire) return /^(?:Require|<Require(?:All|Any|None))$/.test(entry.name)
  if (isInMacro) return true
  // What takes effect while the file is read is accepted everywhere.
  if (READ_ANYWHERE.test(entry.name) && context !== 'htaccess') return true
  if (context === 'proxy') return entry.context.includes('proxy') || entry.context.includes('directory')
  if (context !== 'htaccess') return entry.context.includes(context)
  if (!entry.context.includes('htaccess')) return false
  return granted === null || entry.override.length === 0 || entry.override.some((one) => one === 'All' || granted.includes(one))
}

const READ_ANYWHERE =
  /^(?:Include|IncludeOptional|Use|UnDefMacro|Define|UnDefine|<If(?:Module|Define|Version|File|Directive|Section))$/
