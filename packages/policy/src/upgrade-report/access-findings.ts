import type { DirectiveItem, SectionItem } from '@gatewright/config'
import { lineChanges } from '../migrate/line-changes.ts'
import type { Migration } from '../migrate/migrate.ts'
import type { ConfigFiles } from '../site/config-files.ts'
import { GUARDS } from '../site/read-nodes.ts'
import type { UpgradeFinding } from './finding.ts'
import { lineText, type StandingLines } from './standing-lines.ts'

/**
 * Lines in the old dialect (Order, Allow, Deny and Satisfy) and their replacements by `gatewright migrate`.
 */
export function accessFindings(files: ConfigFiles, lines: StandingLines, migration: Migration): UpgradeFinding[] {
  const rewritten = new Map(migration.files.map(({ path, before, after }) => [path, removedLines(before, after)]))
  return islands(files, lines).map((island): UpgradeFinding => {
    const { file, section, items } = island
    const [first] = items
    const line = first.line ?? 1
    const goes = items.every((item) => rewritten.get(file)?.has(item.line ?? 0) === true)
    return {
      kind: 'access',
      weight: 'look',
      place: { file, line },
      subject: `${section === null ? '' : `<${section.name} ${section.text}> `}${items.map(lineText).join('; ')}`,
      text: goes ? 'Require lines can replace these' : `remains in the old dialect: ${reasonFor(island, migration)}`,
      instead: null,
      by: goes ? 'migrate' : 'hand',
    }
  })
}

/** Lines of the old dialect in one section, or outside of all sections. */
interface Island {
  readonly file: string
  readonly section: SectionItem | null
  readonly items: readonly [DirectiveItem, ...DirectiveItem[]]
}

function islands(files: ConfigFiles, lines: StandingLines): Island[] {
  const found = new Map<
    SectionItem | string,
    { file: string; section: SectionItem | null; items: [DirectiveItem, ...DirectiveItem[]] }
  >()
  for (const { path: file, item, parents } of files.items()) {
    if (item.kind !== 'directive' || !OLD.has(item.name.toLowerCase()) || !lines.isRead(file, parents)) continue
    const section = parents.findLast(({ name }) => !AROUND.has(name.toLowerCase())) ?? null
    const island = found.get(section ?? file)
    if (island === undefined) found.set(section ?? file, { file, section, items: [item] })
    else island.items.push(item)
  }
  return [...found.values()]
}

const OLD: ReadonlySet<string> = new Set(['order', 'allow', 'deny', 'satisfy'])
/** Containers that do not form sections. */
const AROUND: ReadonlySet<string> = new Set([...GUARDS, 'limit', 'limitexcept', 'macro'])

function reasonFor({ file, section, items }: Island, { left }: Migration): string {
  const first = section?.line ?? items[0].line ?? 0
  const last = section?.closing?.lastLine ?? items.at(-1)?.line ?? first
  const near = left.filter((remark) => remark.file === file)
  const found = near.find(({ line }) => first <= line && line <= last) ?? (section === null ? near.at(0) : undefined)
  return found?.text ?? 'no sample request leads here'
}

/** Numbers of the lines that are not in the new text. */
function removedLines(before: string, after: string): ReadonlySet<number> {
  const removed = new Set<number>()
  let line = 0
  for (const { kind } of lineChanges(before, after)) {
    if (kind !== 'added') line++
    if (kind === 'removed') removed.add(line)
  }
  return removed
}
