import type { Connection, TextDocuments } from 'vscode-languageserver/node'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import type { Analyser, Checked, Job, Migrated, Subject, Texts, Trouble } from '../analysis.ts'
import { fromBytes, toBytes } from './byte-texts.ts'
import { Checks } from './checks.ts'
import { diagnosticOf } from './diagnostics.ts'
import { type OpenDocuments, pathOf, uriOf } from './open-documents.ts'
import { type SubjectSettings, subjectOf } from './subjects.ts'

/** What the configurations of open documents are kept with. */
export interface SitesOptions {
  readonly connection: Connection
  readonly analyser: Analyser
  readonly documents: TextDocuments<TextDocument>
  readonly open: OpenDocuments
  readonly pause: number
}

/** Larger documents are not checked: no server has such a file, and every check would copy it. */
const LARGEST = 16 * 1024 * 1024

/** The configurations that open documents belong to, and what is wrong in them. */
export class Sites {
  readonly #options: SitesOptions
  readonly #checks: Checks
  /** Files with diagnostics, by configuration. */
  readonly #published = new Map<string, ReadonlySet<string>>()
  #settings: SubjectSettings = { configFile: null, folders: [] }

  constructor(options: SitesOptions) {
    this.#options = options
    this.#checks = new Checks({
      analyser: options.analyser,
      pause: options.pause,
      textsOf: (subject) => this.#textsOf(subject),
      publish: (subject, troubles) => this.#publish(subject, troubles),
      complain: (text) => options.connection.console.warn(`The check did not finish: ${text}`),
    })
  }

  use(settings: SubjectSettings): void {
    this.#settings = settings
    this.allChanged()
  }

  changed(document: TextDocument): void {
    const path = pathOf(document.uri)
    if (path !== null) this.#checks.changed(this.#subjectOf(path))
  }

  allChanged(): void {
    for (const document of this.#options.documents.all()) this.changed(document)
  }

  closed(document: TextDocument): void {
    const { connection } = this.#options
    void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] })
    this.allChanged()
  }

  /** What is known about the configuration of a file; null before its first check. */
  checkedOf(path: string): Checked | null {
    return this.#checks.checkedOf(this.#subjectOf(path))
  }

  /** The files of the configuration of a file, this one first; Unicode paths. */
  filesOf(path: string): string[] {
    const subject = this.#subjectOf(path)
    const files = this.#checks.checkedOf(subject)?.files ?? (subject.kind === 'server' ? [subject.configFile] : [])
    return [...new Set([path, ...files.map(fromBytes)])]
  }

  async who(path: string, line: number): Promise<string> {
    return fromBytes(await this.#options.analyser.who({ ...this.#job(path), file: toBytes(path), line }))
  }

  async migrated(path: string): Promise<Migrated> {
    const { before, after, left } = await this.#options.analyser.migrate({ ...this.#job(path), file: toBytes(path) })
    return { before: fromBytes(before), after: fromBytes(after), left: left.map(fromBytes) }
  }

  close(): void {
    this.#checks.close()
  }

  #subjectOf(path: string): Subject {
    return subjectOf(path, this.#settings)
  }

  #job(path: string): Job {
    const subject = this.#subjectOf(path)
    return { subject, texts: this.#textsOf(subject) }
  }

  #textsOf(subject: Subject): Texts {
    const texts: Record<string, string> = {}
    for (const document of this.#options.documents.all()) {
      const path = pathOf(document.uri)
      if (path === null || !isSame(this.#subjectOf(path), subject)) continue
      const text = document.getText()
      if (text.length <= LARGEST) texts[toBytes(path)] = toBytes(text)
    }
    return texts
  }

  #publish(subject: Subject, troubles: readonly Trouble[]): void {
    const { connection, open } = this.#options
    const byFile = new Map<string, Trouble[]>()
    for (const trouble of troubles) byFile.set(trouble.file, [...(byFile.get(trouble.file) ?? []), trouble])
    for (const path of Object.keys(this.#textsOf(subject))) if (!byFile.has(path)) byFile.set(path, [])
    const key = JSON.stringify(subject)
    for (const path of this.#published.get(key) ?? []) if (!byFile.has(path)) byFile.set(path, [])
    this.#published.set(key, new Set(byFile.keys()))
    for (const [path, ofFile] of byFile) {
      if (!path.startsWith('/')) continue
      const shown = fromBytes(path)
      const document = open.at(shown)
      const diagnostics = ofFile.map((trouble) => diagnosticOf(trouble, document))
      void connection.sendDiagnostics({ uri: document?.uri ?? uriOf(shown), diagnostics })
    }
  }
}

function isSame(one: Subject, other: Subject): boolean {
  if (one.kind === 'tree') return other.kind === 'tree' && one.folder === other.folder
  return other.kind === 'server' && one.configFile === other.configFile
}
