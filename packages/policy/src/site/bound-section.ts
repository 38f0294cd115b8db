import type { SectionInfo, SectionKind } from '@gatewright/api'
import type { ConfigNode } from '@gatewright/config'
import type { SkippedBody } from '@gatewright/core'
import type { PolicyServer } from '../policy-server.ts'
import { type AccessLines, accessLines, type LineSources } from './access-lines.ts'
import type { ConfigFiles } from './config-files.ts'
import { LinePlaces, readMacroUse } from './line-places.ts'
import { SteadyVariables } from './writing.ts'

/** A section, or a .htaccess file, with its lines. A section that is read twice counts as two. */
export interface BoundSection {
  readonly key: string
  readonly kind: SectionKind
  /** The key of the section around it, a .htaccess file included; null at the top level. */
  readonly parent: string | null
  /** Its start; the line is 0 for a whole file. */
  readonly file: string
  readonly line: number
  readonly title: string
  /** Where it was read from, in words, if the same lines produce several sections; otherwise ''. */
  readonly occasion: string
  readonly lines: readonly ConfigNode[]
  readonly access: AccessLines
}

/** Reads the own lines of the sections of a server. */
export class SectionReader {
  readonly sources: LineSources
  readonly #server: PolicyServer
  readonly #places: LinePlaces
  readonly #known = new Map<SectionInfo, BoundSection>()
  readonly #byKey = new Map<string, BoundSection>()
  /** Number of a section in the server's files, and how many sections share its place. */
  readonly #numbers = new Map<SectionInfo, number>()
  readonly #times = new Map<string, number>()

  /** @param files as the server read them */
  constructor(server: PolicyServer, files: ConfigFiles) {
    this.#server = server
    this.#places = new LinePlaces(files)
    this.sources = { places: this.#places, variables: new SteadyVariables(files) }
    for (const [number, section] of server.configuration.sections.entries()) {
      this.#numbers.set(section, number)
      const { file, line } = this.#placeOf(section)
      this.#times.set(`${file}:${line}`, (this.#times.get(`${file}:${line}`) ?? 0) + 1)
    }
  }

  /** All that were read so far. */
  get sections(): readonly BoundSection[] {
    return [...this.#byKey.values()]
  }

  /** The lines that false guards excluded in the .htaccess files. */
  get skipped(): readonly SkippedBody[] {
    return [...this.#known.keys()].flatMap((section) => this.#server.configuration.skippedIn(section))
  }

  read(section: SectionInfo): BoundSection {
    const found = this.#known.get(section)
    if (found !== undefined) return found
    const made = this.#make(section)
    // A .htaccess file is read for each server; readings with the same content count as one.
    const same = this.#byKey.get(made.key) ?? made
    this.#known.set(section, same)
    this.#byKey.set(same.key, same)
    return same
  }

  #make(section: SectionInfo): BoundSection {
    const { kind, title, parent } = section
    const lines = this.#server.configuration.linesIn(section)
    const { file, line } = this.#placeOf(section)
    const number = this.#numbers.get(section)
    // The server itself is not a conditional section.
    const around = parent === null || parent.kind === 'server' || parent.kind === 'VirtualHost' ? null : this.read(parent)
    const key = number === undefined ? `${around?.key ?? ''} ${file}:${line} ${fingerprint(lines)}` : `${file}:${line} ${number}`
    const occasion = (this.#times.get(`${file}:${line}`) ?? 0) > 1 ? occasionOf(section) : ''
    return {
      key,
      kind,
      parent: around?.key ?? null,
      file,
      line,
      title,
      occasion,
      lines,
      access: accessLines(lines, this.sources),
    }
  }

  #placeOf({ file, line }: SectionInfo): { readonly file: string; readonly line: number } {
    const place = line === 0 ? undefined : this.#places.of({ file, line })
    return place === undefined ? { file, line } : { file: place.path, line: place.item.lastLine ?? line }
  }
}

function fingerprint(nodes: readonly ConfigNode[]): string {
  return nodes
    .map(({ name, text, line, children }) => `${line} ${name} ${text} ${children === null ? '' : fingerprint(children)}`)
    .join('\n')
}

/** The virtual host and the use of a macro that distinguish the readings of one line. */
function occasionOf(section: SectionInfo): string {
  const words: string[] = []
  for (let { parent } = section; parent !== null; parent = parent.parent)
    if (parent.kind !== 'server') words.push(`in ${parent.title}${placed(parent)}`)
  const use = readMacroUse(section.file)
  if (use !== undefined) words.push(`by Use at ${use.used.file}:${use.used.line}`)
  return words.join(', ')
}

function placed({ file, line }: SectionInfo): string {
  return readMacroUse(file) === undefined ? ` (${file}:${line})` : ''
}
