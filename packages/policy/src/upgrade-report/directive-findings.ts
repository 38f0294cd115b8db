import type { DirectiveItem } from '@gatewright/config'
import type { DirectiveChange, Upgrade } from '../migrate/upgrade.ts'
import type { UpgradeFinding } from './finding.ts'
import type { RefusedLine } from './refused-line.ts'
import { lineText } from './standing-lines.ts'

/** Facts about directives in addition to their names. */
export interface KnownDirectives {
  /** Whether this server reads a directive of that name, be it with a warning. */
  has(name: string): boolean
  /** Whether a line is outside of false guards. */
  isRead(file: string, item: DirectiveItem): boolean
  /** Lines that it did not load. */
  readonly refused: readonly RefusedLine[]
}

/**
 * Directives that 2.4 has removed or renamed, and lines that do not load for another reason. LoadModule lines
 * are reported elsewhere.
 */
export function directiveFindings({ changes, additions }: Upgrade, directives: KnownDirectives): UpgradeFinding[] {
  const { refused } = directives
  const changed = changes.filter(({ item }) => !isLoadModule(item.name))
  const known = new Set(changed.map(({ file, line }) => `${file}:${line}`))
  return [
    ...changed.map((change): UpgradeFinding => {
      const { file, line, item, text, instead } = change
      const refusal = refused.find((one) => one.file === file && one.line === line)
      return {
        kind: 'directive',
        weight: weightOf(change, directives),
        place: { file, line },
        subject: lineText(item),
        text: refusal === undefined ? text : `${text}; its replacement does not load either: ${refusal.message}`,
        instead: instead === null ? [] : [instead],
        by: refusal === undefined && instead !== lineText(item) ? 'migrate' : 'hand',
      }
    }),
    ...additions.map(
      ({ path, line, lines, module, remark }): UpgradeFinding => ({
        kind: 'module',
        weight: 'must',
        place: { file: path, line },
        subject: module,
        text: `missing before this line: ${remark}`,
        instead: lines,
        by: 'migrate',
      }),
    ),
    ...refused.filter(({ file, line, text }) => !isLoadModule(text.split(/\s/)[0]) && !known.has(`${file}:${line}`)).map(refusal),
  ]
}

function weightOf({ file, item }: DirectiveChange, { has, isRead }: KnownDirectives): UpgradeFinding['weight'] {
  if (!isRead(file, item)) return 'know'
  return has(item.name) ? 'look' : 'must'
}

function isLoadModule(name: string): boolean {
  return name.toLowerCase() === 'loadmodule'
}

function refusal({ file, line, text, message, hint }: RefusedLine): UpgradeFinding {
  const [subject] = text.split('\n')
  const said = hint === null ? message : `${message}; ${hint}`
  const { more, instead } = adviceFor(subject, said)
  return {
    kind: 'directive',
    weight: 'must',
    place: { file, line },
    subject,
    text: more === undefined ? said : `${said}; ${more}`,
    instead,
    by: 'hand',
  }
}

/** Facts about a rejected line in addition to the server's message. */
function adviceFor(line: string, said: string): { readonly more?: string; readonly instead: readonly string[] | null } {
  const wild = /^Include\s+(.*[*?[].*)$/i.exec(line)?.[1]
  if (wild !== undefined) return { more: '2.2 ignored patterns that match no file', instead: [`IncludeOptional ${wild}`] }
  const keepAlive = /^KeepAlive\s+(.*)$/i.exec(line)?.[1]
  if (keepAlive !== undefined)
    return { more: '2.2 read every value except Off and 0 as On', instead: [`KeepAlive ${keepAlive === '0' ? 'Off' : 'On'}`] }
  const mutex = /^SSLMutex\s+(?:file:)?["']?(?:file:)?([^"'\s]*)/i.exec(line)?.[1]
  if (mutex !== undefined) return { more: `in 2.4 a server with mod_ssl reads Mutex ${mutexOf(mutex)} ssl-cache`, instead: null }
  const variable = /\$\{\w+\}/.exec(line)?.[0]
  if (variable !== undefined)
    return { more: `if a start script sets ${variable}, run the report again in its environment`, instead: null }
  const module = /: (LoadModule \S+ \S+)$/.exec(said)?.[1]
  return { instead: module === undefined ? null : [module, line] }
}

/** A mutex of 2.4 uses a folder, one of 2.2 a file. */
function mutexOf(word: string): string {
  return word.startsWith('/') ? `file:${word.slice(0, word.lastIndexOf('/')) || '/'}` : word || 'default'
}
