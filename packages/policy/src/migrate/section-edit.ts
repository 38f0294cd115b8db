import type { DocumentItem, SectionItem } from '@gatewright/config'
import type { AccessLine, AccessLines } from './access-lines.ts'
import { methodsOf, requireSet } from './access-rules.ts'
import type { FileEdit } from './file-edit.ts'
import { acrossMethods } from './method-classes.ts'
import { type Requirement, requirementKey } from './requirement.ts'
import { requirementLines } from './requirement-lines.ts'

/** How a section is to be changed so that it says a formula, and nothing in the old dialect. */
export interface SectionEdit {
  /** Nothing but old lines is taken away: the Require lines said everything already. */
  readonly keepsRequire: boolean
  apply(edit: FileEdit): void
}

/** @returns a reason where the lines are so placed that they cannot be replaced by one block */
export function sectionEdit(access: AccessLines, target: Requirement): SectionEdit | { readonly reason: string } | null {
  const { lines } = access
  const host = lines.filter(({ kind }) => kind !== 'require')
  const requires = lines.filter((line) => line.kind === 'require')
  const rest = missing(access, target)
  if (rest !== null && rest.length === 0)
    return host.length === 0 ? null : { keepsRequire: true, apply: (edit) => removeAll(edit, host) }
  const replaced = rest === null ? lines : host
  const first = replaced.at(0)
  if (first === undefined) return { reason: 'there is no line that could be replaced' }
  if (new Set(lines.map(({ holder }) => holder)).size > 1)
    return { reason: 'the rules stand partly inside of a guard and partly outside, or in several guards' }
  const said: Requirement = rest === null ? target : { kind: 'any', children: rest }
  const compat = first.holder !== null && isCompatGuard(first.holder) ? first.holder : null
  if (compat !== null && requires.length < lines.length && first.holder?.line === undefined)
    return { reason: 'the guard has no line' }
  return {
    keepsRequire: false,
    apply: (edit) => {
      const place: DocumentItem = first.limits.at(0) ?? first.item
      const indent = /^[ \t]*/.exec(place.raw ?? '')?.[0] ?? ''
      edit.insertBefore(place.line ?? 1, requirementLines(said, indent))
      removeAll(edit, replaced)
      if (compat !== null) renameGuard(edit, compat)
    },
  }
}

/** What has to be added to the Require lines of a section so that it says the formula; null where they have to be replaced. */
function missing(access: AccessLines, target: Requirement): readonly Requirement[] | null {
  const requires = access.lines.filter((line) => line.kind === 'require')
  if (requires.length === 0) return null
  const own = acrossMethods(new Map(methodsOf([access]).map((method) => [method, requireSet(access, method)])))
  if (requirementKey(own) === requirementKey(target)) return []
  if (target.kind !== 'any' || requires.some(({ methods }) => methods.length > 0)) return null
  const mine = requires.map(({ requirement }) => requirementKey(requirement))
  const all = new Set(target.children.map(requirementKey))
  if (!requires.every(({ requirement }) => isHarmless(requirement)) || !mine.every((key) => all.has(key))) return null
  return target.children.filter((child) => !mine.includes(requirementKey(child)))
}

/** Lines that cannot fail with an error may be asked in any order. */
function isHarmless(requirement: Requirement): boolean {
  return requirement.kind === 'line' && /^(?:ip|local|method|env|user|valid-user)(?:\s|$)/.test(requirement.text)
}

function removeAll(edit: FileEdit, lines: readonly AccessLine[]): void {
  const gone = new Set<DocumentItem>(lines.map(({ item }) => item))
  for (const { item } of lines) removeItem(edit, item)
  const around = new Set<SectionItem>(lines.flatMap(({ limits, holder }) => [...limits, ...(holder === null ? [] : [holder])]))
  // Inner ones first: what is empty then makes the outer one empty.
  const deepestFirst = [...around].sort((a, b) => (b.line ?? 0) - (a.line ?? 0))
  for (const section of deepestFirst) {
    const left = section.items.filter((item) => !gone.has(item) && item.kind !== 'blank')
    const isLimit = /^limit/i.test(section.name)
    // A guard that still holds a comment, or is to hold the new lines, stays.
    if (left.some(({ kind }) => kind !== 'comment') || !isLimit) continue
    edit.remove(section.line ?? 1, section.lastLine ?? 1)
    if (section.closing !== null) edit.remove(section.closing.line ?? 1, section.closing.lastLine ?? 1)
    gone.add(section)
  }
}

function removeItem(edit: FileEdit, item: DocumentItem): void {
  const end = item.kind === 'section' ? (item.closing ?? item) : item
  edit.remove(item.line ?? 1, end.lastLine ?? 1)
}

/** A server without mod_access_compat must read the new lines as well. */
function isCompatGuard({ name, words }: SectionItem): boolean {
  return name.toLowerCase() === 'ifmodule' && /^(?:mod_access_compat\.c|access_compat_module)$/i.test(words[0] ?? '')
}

function renameGuard(edit: FileEdit, guard: SectionItem): void {
  const raw = guard.raw ?? ''
  const renamed = raw.replace(/mod_access_compat\.c/i, 'mod_authz_core.c').replace(/access_compat_module/i, 'authz_core_module')
  edit.replace(guard.line ?? 1, guard.lastLine ?? 1, renamed.replace(/\r?\n$/, ''))
}
