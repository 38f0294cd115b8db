import type { DocumentItem } from '@gatewright/config'
import type { AccessLine } from '../site/access-lines.ts'
import type { BoundSection } from '../site/bound-section.ts'
import type { Requirement } from '../site/requirement.ts'
import { requirementLines } from './requirement-lines.ts'
import type { SectionEdit } from './section-edit.ts'

/** Changes of lines: the removed lines, and texts to insert before a line. */
export interface PlacedEdit {
  readonly removed: readonly AccessLine[]
  readonly added: { readonly before: AccessLine; readonly lines: readonly string[] } | null
}

/** A section that shares lines with other sections, which would need a different change. */
export interface SharingConflict {
  readonly section: BoundSection
  readonly other: BoundSection
}

/**
 * Chooses the place of each section's new rules. Lines that belong to several sections (an included file, a
 * macro, a virtual host's twin) can be changed in only one way for all of them: common rules replace the
 * first of those lines, individual rules go before a line that only their section has.
 * @param edits null for a section that is not changed
 */
export function placeEdits(edits: ReadonlyMap<BoundSection, SectionEdit | null>): {
  readonly placed: ReadonlyMap<BoundSection, PlacedEdit>
  readonly conflicts: readonly SharingConflict[]
} {
  const readings = readingsOf(edits)
  const placed = new Map<BoundSection, PlacedEdit>()
  for (const [section, edit] of edits) if (edit !== null) placed.set(section, placeEdit(edit, readings))
  return { placed, conflicts: conflictsOf(placed, readings) }
}

/** One of the sections to which a line belongs. */
interface Reading {
  readonly section: BoundSection
  /** Its text before the line if that is removed; otherwise null. */
  readonly said: string | null
}

type Readings = ReadonlyMap<DocumentItem, readonly Reading[]>

function readingsOf(edits: ReadonlyMap<BoundSection, SectionEdit | null>): Readings {
  const readings = new Map<DocumentItem, Reading[]>()
  for (const [section, edit] of edits) {
    const going = new Set(edit?.removed)
    for (const line of section.access.lines) {
      const said = edit?.said == null || !going.has(line) ? null : linesAt(edit.said, line).join('\n')
      const known = readings.get(line.place.item)
      if (known === undefined) readings.set(line.place.item, [{ section, said }])
      else known.push({ section, said })
    }
  }
  return readings
}

function placeEdit({ removed, said }: SectionEdit, readings: Readings): PlacedEdit {
  if (said === null) return { removed, added: null }
  const agreed = removed.find(({ place }) => {
    const [first, ...others] = readings.get(place.item) ?? []
    return first !== undefined && first.said !== null && others.every((other) => other.said === first.said)
  })
  const before = agreed ?? removed[0]
  return { removed, added: { before, lines: linesAt(said, before) } }
}

function linesAt(said: Requirement, { place }: AccessLine): string[] {
  return requirementLines(said, { indent: '', frame: place.frame })
}

function conflictsOf(placed: ReadonlyMap<BoundSection, PlacedEdit>, readings: Readings): SharingConflict[] {
  return [...readings].flatMap(([item, sections]) => {
    if (sections.length === 1) return []
    const byChange = Map.groupBy(sections, ({ section }) => changeOf(placed.get(section), item))
    if (byChange.size === 1) return []
    const groups = [...byChange.values()]
    return groups.flatMap((group, index) => {
      const [{ section: other }] = groups[index === 0 ? 1 : 0]
      return group.flatMap(({ section }) => (placed.has(section) ? [{ section, other }] : []))
    })
  })
}

/** The same text for changes that are the same. */
function changeOf(edit: PlacedEdit | undefined, item: DocumentItem): string {
  if (edit === undefined) return 'kept'
  const { removed, added } = edit
  const fate = removed.some(({ place }) => place.item === item) ? 'removed' : 'kept'
  return added?.before.place.item === item ? `${fate}\n${added.lines.join('\n')}` : fate
}
