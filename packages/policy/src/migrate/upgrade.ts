import type { DirectiveItem } from '@gatewright/config'
import type { ConfigFiles } from '../site/config-files.ts'
import { isForOlder } from '../site/guard.ts'
import type { Remark } from '../site/remark.ts'
import { FileEdit } from './file-edit.ts'
import { type AddedLine, builtInModules, type GuardedLine, missingModules } from './needed-modules.ts'
import { renewed } from './renewed-directive.ts'

export interface Upgrade {
  /** All files, including unchanged ones. */
  readonly texts: ReadonlyMap<string, string>
  readonly remarks: readonly Remark[]
  /** Lines that were replaced or removed, each as written; `instead` is null for none. */
  readonly changes: readonly DirectiveChange[]
  /** LoadModule lines of built-in modules, which are now in a guard. */
  readonly guarded: readonly GuardedLine[]
  /** Lines that were added, each in front of the line that is named. */
  readonly additions: readonly AddedLine[]
  /** The former place of a line of the new texts. */
  originalLine(path: string, line: number): number
}

export interface DirectiveChange extends Remark {
  readonly item: DirectiveItem
  readonly instead: string | null
}

/**
 * Replaces what 2.4 no longer reads, or reads under another name, so that the configuration loads. Keeps
 * Order, Allow, Deny and Satisfy.
 */
export function upgrade(files: ConfigFiles): Upgrade {
  const edits = new Map<string, FileEdit>()
  const changes: DirectiveChange[] = []
  const editOf = (path: string): FileEdit => {
    const edit = edits.get(path) ?? new FileEdit(files.text(path) ?? '')
    edits.set(path, edit)
    return edit
  }
  const groups = groupProvider(files)
  for (const { path, item, parents } of files.items()) {
    if (item.kind !== 'directive' || parents.some(isForOlder)) continue
    const change = groupLine(item, groups) ?? renewed(item)
    if (change === undefined) continue
    const line = item.line ?? 1
    if (change.text === null) editOf(path).remove(line, item.lastLine ?? line)
    else editOf(path).replace(line, item.lastLine ?? line, `${/^[ \t]*/.exec(item.raw ?? '')?.[0] ?? ''}${change.text}`)
    changes.push({ file: path, line, text: change.remark, item, instead: change.text })
  }
  const additions = missingModules(files)
  const guarded = builtInModules(files)
  // Text that is inserted before a line goes between the end of the preceding guard and the start of the
  // line's own.
  for (const { file, lastLine, indent } of guarded) editOf(file).insertBefore(lastLine + 1, [`${indent}</IfModule>`])
  for (const { path, line, lines } of additions) editOf(path).insertBefore(line, lines)
  for (const { file, line, guard, indent } of guarded) editOf(file).insertBefore(line, [`${indent}<IfModule !${guard}>`])
  const texts = new Map(files.paths.map((path) => [path, edits.get(path)?.text ?? files.text(path) ?? '']))
  return {
    texts,
    remarks: [
      ...changes.map(({ file, line, text }) => ({ file, line, text })),
      ...guarded.map(({ file, line, text }) => ({ file, line, text })),
      ...additions.map(({ path, line, remark }) => ({ file: path, line, text: remark })),
    ],
    changes,
    guarded,
    additions,
    originalLine: (path, line) => edits.get(path)?.originalLine(line) ?? line,
  }
}

/** The module that a `Require group` line refers to: in 2.2 two modules use the same word. */
function groupProvider(files: ConfigFiles): 'group' | 'dbm-group' | 'both' {
  let text = false
  let dbm = false
  for (const { item } of files.items()) {
    if (item.kind !== 'directive') continue
    text ||= /^authgroupfile$/i.test(item.name)
    dbm ||= /^authdbmgroupfile$/i.test(item.name)
  }
  return dbm ? (text ? 'both' : 'dbm-group') : 'group'
}

function groupLine(
  { name, text }: DirectiveItem,
  provider: 'group' | 'dbm-group' | 'both',
): { readonly text: string | null; readonly remark: string } | undefined {
  if (name.toLowerCase() !== 'require' || !/^group\s/.test(text) || provider === 'group') return undefined
  if (provider === 'dbm-group')
    return { text: `Require dbm-${text}`, remark: 'in 2.4, dbm-group refers to the groups of a DBM file' }
  return {
    text: `Require ${text}`,
    remark:
      'left unchanged: in 2.4, group refers to AuthGroupFile, dbm-group refers to AuthDBMGroupFile, and this configuration has both',
  }
}
