import type { Section } from '../model/section.ts'
import type { ServerRecord } from '../model/server-record.ts'
import { WalkState } from '../model/walk-state.ts'

/** Maximum number of cached folders per server; beyond it the cache is emptied. */
const MAX_FOLDERS = 10_000

const NONE: readonly Section[] = []

/**
 * An existing folder, and the plain `<Directory>` sections that name it. Its path alone determines which
 * sections match.
 */
export interface Folder {
  /** Without trailing slash, except the root. */
  readonly path: string
  readonly parent: Folder | null
  readonly sections: readonly Section[]
  /** The result of a walk to the end of this folder, and the turn of the event loop in which it is valid. */
  walked: WalkState | null
  walkedInTurn: number
}

/** The folders of one server to which requests have led. */
export class DirectoryTree {
  readonly #plain: readonly Section[]
  /** Sections that are patterns, in order of depth: they come after all plain ones. */
  readonly patterns: readonly Section[]
  /** Where every walk begins. */
  readonly start: WalkState
  /** Depths at which there are plain sections. */
  readonly #depths: ReadonlySet<number>
  readonly #folders = new Map<string, Folder>()

  constructor(server: ServerRecord) {
    const sorted = [...server.core.directorySections].sort((a, b) => (a.match?.depth ?? 0) - (b.match?.depth ?? 0))
    this.#plain = sorted.filter(({ match }) => match?.pattern === null)
    this.patterns = sorted.filter(({ match }) => match !== null && match.pattern !== null)
    this.start = new WalkState(server.walkBase, server.walkBase, server.walkBase.noSections)
    this.#depths = new Set(this.#plain.map(({ match }) => match?.depth ?? 0))
  }

  /** The folder at a path that is known to exist. `path` has no trailing slash. */
  folder(path: string): Folder {
    const known = this.#folders.get(path)
    if (known !== undefined) return known
    if (this.#folders.size >= MAX_FOLDERS) this.#folders.clear()
    const parent = path === '/' ? null : this.folder(path.slice(0, path.lastIndexOf('/')) || '/')
    const folder: Folder = { path, parent, sections: this.sectionsAt(path), walked: null, walkedInTurn: 0 }
    this.#folders.set(path, folder)
    return folder
  }

  /**
   * Plain sections whose argument is exactly this path, or whose wildcards match it, component by component.
   */
  sectionsAt(path: string): readonly Section[] {
    const depth = depthOf(path)
    if (!this.#depths.has(depth)) return NONE
    const found = this.#plain.filter(({ match }) => {
      if (match === null || match.depth !== depth) return false
      return match.wildcard === null ? match.path === path : match.wildcard.matches(path)
    })
    return found.length === 0 ? NONE : found
  }
}

/** Number of components. */
function depthOf(path: string): number {
  if (path === '/') return 0
  let slashes = 0
  for (let index = 0; index < path.length; index++) if (path.charCodeAt(index) === 47) slashes++
  return slashes
}
