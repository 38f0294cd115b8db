import type { DocumentItem, SectionItem } from '@gatewright/config'
import type { AccessLine } from '../site/access-lines.ts'
import type { ConfigFiles } from '../site/config-files.ts'
import { guardOf, isCompatElse, isCompatGuard } from '../site/guard.ts'
import { FileEdit } from './file-edit.ts'
import type { PlacedEdit } from './shared-lines.ts'

/** The changed files after the edits. */
export function editedFiles(files: ConfigFiles, edits: readonly PlacedEdit[]): ReadonlyMap<string, FileEdit> {
  const byFile = new Map<string, Changes>()
  const changesOf = ({ place: { path } }: AccessLine): Changes => {
    const known = byFile.get(path) ?? { removed: new Map(), added: new Map() }
    byFile.set(path, known)
    return known
  }
  for (const { removed, added } of edits) {
    for (const line of removed) changesOf(line).removed.set(line.place.item, line)
    if (added !== null) changesOf(added.before).added.set(added.before.place.item, { line: added.before, lines: added.lines })
  }
  return new Map([...byFile].map(([path, changes]) => [path, apply(files, path, changes)]))
}

/** By item: an item that belongs to several sections is changed once. */
interface Changes {
  readonly removed: Map<DocumentItem, AccessLine>
  readonly added: Map<DocumentItem, { readonly line: AccessLine; readonly lines: readonly string[] }>
}

function apply(files: ConfigFiles, path: string, { removed, added }: Changes): FileEdit {
  const edit = new FileEdit(files.text(path) ?? '')
  for (const { line, lines } of added.values()) {
    const { item, parents } = line.place
    const place: DocumentItem = parents[outermostLimit(parents)] ?? item
    const indent = /^[ \t]*/.exec(place.raw ?? '')?.[0] ?? ''
    edit.insertBefore(
      place.line ?? 1,
      lines.map((text) => indent + text),
    )
    renameGuard(edit, line, files)
  }
  for (const item of removed.keys()) removeItem(edit, item)
  const held = new Set([...added.values()].map(({ line }) => guardOf(line.place)))
  removeEmptied(edit, removed, held)
  return edit
}

/** Where lines from a `<Limit>` are inserted: before it. */
function outermostLimit(parents: readonly SectionItem[]): number {
  let index = parents.length
  while (index > 0 && isLimit(parents[index - 1])) index--
  return index
}

/** Limits that have nothing left in them go, and so do guards, unless a comment is left. */
function removeEmptied(
  edit: FileEdit,
  removed: ReadonlyMap<DocumentItem, AccessLine>,
  held: ReadonlySet<SectionItem | null>,
): void {
  const gone = new Set<DocumentItem>(removed.keys())
  const around = new Set<SectionItem>()
  for (const { place } of removed.values()) {
    for (const parent of place.parents.slice(outermostLimit(place.parents))) around.add(parent)
    const guard = guardOf(place)
    if (guard !== null && !held.has(guard)) around.add(guard)
  }
  // Inner ones first: if they become empty, the outer one may become empty as well.
  const deepestFirst = [...around].sort((a, b) => (b.line ?? 0) - (a.line ?? 0))
  for (const section of deepestFirst) {
    const left = section.items.filter((item) => !gone.has(item) && item.kind !== 'blank')
    if (left.some(({ kind }) => kind !== 'comment') || (left.length > 0 && !isLimit(section))) continue
    edit.remove(section.line ?? 1, section.lastLine ?? 1)
    if (section.closing !== null) edit.remove(section.closing.line ?? 1, section.closing.lastLine ?? 1)
    gone.add(section)
  }
}

function isLimit({ name }: SectionItem): boolean {
  return /^limit(?:except)?$/i.test(name)
}

function removeItem(edit: FileEdit, item: DocumentItem): void {
  const end = item.kind === 'section' ? (item.closing ?? item) : item
  edit.remove(item.line ?? 1, end.lastLine ?? 1)
}

/**
 * A server without mod_access_compat must read the new lines as well, unless lines for it already exist
 * there.
 */
function renameGuard(edit: FileEdit, { place }: AccessLine, files: ConfigFiles): void {
  const guard = guardOf(place)
  if (guard === null || !isCompatGuard(guard)) return
  const around = place.parents[place.parents.indexOf(guard) - 1]
  const siblings = around?.items ?? files.document(place.path)?.items ?? []
  if (siblings.some((item) => item.kind === 'section' && isCompatElse(item))) return
  const raw = guard.raw ?? ''
  const renamed = raw.replace(/mod_access_compat\.c/i, 'mod_authz_core.c').replace(/access_compat_module/i, 'authz_core_module')
  edit.replace(guard.line ?? 1, guard.lastLine ?? 1, renamed.replace(/\r?\n$/, ''))
}
