import type { DocumentItem, SectionItem } from '@gatewright/config'
import { dialectOf, isCompatElse, isCompatGuard } from './guard.ts'
import { GUARDS } from './read-nodes.ts'

interface FoundItem {
  readonly item: DocumentItem
  readonly parents: readonly SectionItem[]
}

/**
 * Old rules of a server's file that were not read because of a false guard or an unused macro. Guards that
 * distinguish the dialects exclude their lines intentionally.
 * @param bound the lines that were read
 */
export function unreadLines(
  items: readonly FoundItem[],
  bound: ReadonlySet<DocumentItem>,
): { readonly line: number; readonly text: string }[] {
  const reported = new Set<SectionItem | null>()
  return items.flatMap(({ item, parents }) => {
    if (item.kind !== 'directive' || !/^(?:order|allow|deny|satisfy)$/i.test(item.name) || bound.has(item)) return []
    if (parents.some((parent) => dialectOf(parent) !== null || isCompatGuard(parent) || isCompatElse(parent))) return []
    const cause = parents.find(({ name }) => name.toLowerCase() === 'macro' || GUARDS.has(name.toLowerCase())) ?? null
    if (cause === null || reported.has(cause)) return []
    reported.add(cause)
    const place = `line ${cause.line}`
    const text =
      cause.name.toLowerCase() === 'macro'
        ? `no Use line refers to the macro of ${place}, so its rules are not read`
        : `<${cause.name} ${cause.text}> in ${place} does not hold, so these rules are not read: migrate again for a server where it holds`
    return [{ line: item.line ?? 1, text }]
  })
}
