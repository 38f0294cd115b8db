import type { DirectiveItem, DocumentItem, SectionItem } from '@gatewright/config'
import { GUARDS } from './read-nodes.ts'

/** An access rule, or a container of Require lines, as written in a file. */
export interface AccessText {
  readonly item: DirectiveItem | SectionItem
  /** The innermost enclosing guard in its own section. */
  readonly guard: SectionItem | null
  /** The `<Limit>` and `<LimitExcept>` around it, outermost first. */
  readonly limits: readonly SectionItem[]
}

/**
 * The access rules among the items of a section, inside guards and limits, but not those of nested sections.
 * @param holds whether the body of a guard is read
 */
export function accessText(items: readonly DocumentItem[], holds: (guard: SectionItem) => boolean): AccessText[] {
  return collected(items, holds, { guard: null, limits: [] })
}

/** Whether a line applies to GET requests. */
export function isAboutGet({ limits }: AccessText): boolean {
  return limits.every(({ name, words }) => words.includes('GET') === (name.toLowerCase() === 'limit'))
}

function collected(
  items: readonly DocumentItem[],
  holds: (guard: SectionItem) => boolean,
  around: Pick<AccessText, 'guard' | 'limits'>,
): AccessText[] {
  return items.flatMap((item): AccessText[] => {
    if (item.kind === 'directive') return LINES.has(item.name.toLowerCase()) ? [{ item, ...around }] : []
    if (item.kind !== 'section') return []
    const name = item.name.toLowerCase()
    if (CONTAINERS.has(name)) return [{ item, ...around }]
    if (LIMITS.has(name)) return collected(item.items, holds, { ...around, limits: [...around.limits, item] })
    return GUARDS.has(name) && holds(item) ? collected(item.items, holds, { ...around, guard: item }) : []
  })
}

const LINES: ReadonlySet<string> = new Set(['order', 'allow', 'deny', 'satisfy', 'require'])
const CONTAINERS: ReadonlySet<string> = new Set(['requireall', 'requireany', 'requirenone'])
const LIMITS: ReadonlySet<string> = new Set(['limit', 'limitexcept'])
