import type { SectionInfo, SectionKind } from '@gatewright/api'

/** The walks in the order in which their sections are merged. */
const WALK: Readonly<Record<SectionKind, number>> = {
  server: 0,
  VirtualHost: 1,
  Directory: 2,
  '.htaccess': 2,
  DirectoryMatch: 3,
  Files: 4,
  FilesMatch: 4,
  Proxy: 4,
  ProxyMatch: 4,
  Location: 5,
  LocationMatch: 5,
  If: 6,
  Limit: 7,
  overlay: 8,
}

export interface RankFacts {
  readonly kind: SectionKind
  readonly parent: SectionInfo | null
  /** Slashes in the argument of a directory section, or in the folder of a .htaccess file. */
  readonly depth: number
  readonly ofVirtualHost: boolean
  /** Counts the sections of a configuration in file order. */
  readonly sequence: number
}

/**
 * The position of a section in the order of merging, as a list of numbers that is compared from the left: of
 * two sections that apply to one request, the one with the greater rank is merged later.
 */
export function sectionRank({ kind, parent, depth, ofVirtualHost, sequence }: RankFacts): readonly number[] {
  const walk = WALK[kind]
  const host = ofVirtualHost ? 1 : 0
  switch (walk) {
    case 2:
      // A folder's .htaccess file comes after its sections, and before those of deeper folders.
      return [walk, depth, kind === '.htaccess' ? 1 : 0, host, sequence]
    case 3:
      return [walk, depth, host, sequence]
    case 4:
    case 6: {
      // The sections of servers come first, then nested sections in the order of their parents; sections
      // inside an If come one generation later.
      const nested = parent !== null && parent.kind !== 'server' && parent.kind !== 'VirtualHost'
      return nested ? [walk, 1, ...parent.rank, host, sequence] : [walk, 0, host, sequence]
    }
    default:
      return [walk, host, sequence]
  }
}
