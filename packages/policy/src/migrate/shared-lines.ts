import type { DocumentItem } from '@gatewright/config'
import type { AccessLine } from './access-lines.ts'
import type { BoundSection } from './bound-section.ts'
import { requirementLines } from './requirement-lines.ts'
import type { SectionEdit } from './section-edit.ts'

/** What happens to lines: which go, and what is put in front of which. */
export interface PlacedEdit {
  readonly removed: readonly AccessLine[]
  readonly added: { readonly before: AccessLine; readonly lines: readonly string[] } | null
}

/** A section whose lines other sections are made of as well, which would have to be changed in another way. */
export interface SharingConflict {
  readonly section: BoundSection
  readonly other: BoundSection
}

/**
 * Chooses where each section says what it has to say. Lines that several sections are made of (an included file, a macro, a virtual host's twin) can be changed only
 * in one way for all of them: what they say alike stands where the first of those lines stood, what each says for itself in front of a line of its own.
 * @param edits null for a section that stays as it is
 */
export function placeEdits(edits: ReadonlyMap<BoundSection, SectionEdit | null>): {
  readonly placed: ReadonlyMap<BoundSection, PlacedEdit>
  readonly conflicts: readonly SharingConflict[]
} {
  const readers = readersOf(edits.keys())
  const placed = new Map<BoundSection, PlacedEdit>()
  for (const [section, edit] of edits) if (edit !== null) placed.set(section, placeEdit(section, edit, { edits, readers }))
  const conflicts: SharingConflict[] = []
  for (const section of placed.keys())
    for (const { place } of section.access.lines)
      for (const other of readers.get(place.item) ?? [])
        if (other !== section && changeOf(placed.get(section), place.item) !== changeOf(placed.get(other), place.item))
          conflicts.push({ section, other })
  return { placed, conflicts }
}

function readersOf(sections: Iterable<BoundSection>): ReadonlyMap<DocumentItem, readonly BoundSection[]> {
  const readers = new Map<DocumentItem, BoundSection[]>()
  for (const section of sections)
    for (const { place } of section.access.lines) readers.set(place.item, [...(readers.get(place.item) ?? []), section])
  return readers
}

function placeEdit(
  section: BoundSection,
  { removed, said }: SectionEdit,
  {
    edits,
    readers,
  }: {
    readonly edits: ReadonlyMap<BoundSection, SectionEdit | null>
    readonly readers: ReadonlyMap<DocumentItem, readonly BoundSection[]>
  },
): PlacedEdit {
  if (said === null) return { removed, added: null }
  const linesAt = ({ place }: AccessLine): string[] => requirementLines(said, { indent: '', frame: place.frame })
  const isAgreed = (line: AccessLine): boolean =>
    (readers.get(line.place.item) ?? []).every((other) => {
      if (other === section) return true
      const theirs = edits.get(other)
      const twin = theirs?.removed.find(({ place }) => place.item === line.place.item)
      if (theirs?.said == null || twin === undefined) return false
      return requirementLines(theirs.said, { indent: '', frame: twin.place.frame }).join('\n') === linesAt(line).join('\n')
    })
  const before = removed.find(isAgreed) ?? removed[0]
  return { removed, added: { before, lines: linesAt(before) } }
}

/** The same text for changes that are the same. */
function changeOf(edit: PlacedEdit | undefined, item: DocumentItem): string {
  if (edit === undefined) return 'kept'
  const { removed, added } = edit
  const fate = removed.some(({ place }) => place.item === item) ? 'removed' : 'kept'
  return added?.before.place.item === item ? `${fate}\n${added.lines.join('\n')}` : fate
}
