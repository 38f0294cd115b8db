import type { CatalogueData } from './catalogue/catalogue.ts'

/** The configuration that a file belongs to. Paths are absolute, one character for each byte. */
export type Subject =
  | {
      readonly kind: 'server'
      readonly configFile: string
      /** null: as the main file or its place says. */
      readonly serverRoot: string | null
    }
  /** A folder of .htaccess files without a known server. */
  | { readonly kind: 'tree'; readonly folder: string }

/** Open documents by path; one character for each byte in both. */
export type Texts = Readonly<Record<string, string>>

export interface Job {
  readonly subject: Subject
  readonly texts: Texts
}

/** Something wrong in a file. Texts have one character for each byte. */
export interface Trouble {
  readonly file: string
  /** From 1; 0 for the whole file. */
  readonly line: number
  readonly severity: 'error' | 'warning' | 'note'
  readonly message: string
  readonly hint: string | null
  /** A rule of lint, or null. */
  readonly rule: string | null
}

/** What a check knows about the configuration. */
export interface Checked {
  readonly troubles: readonly Trouble[]
  /** Files that were read, the main file first. */
  readonly files: readonly string[]
  readonly serverRoot: string
  readonly defines: Readonly<Record<string, string>>
  /** For each open .htaccess file: the classes of AllowOverride there; empty if the server does not read it. */
  readonly granted: Readonly<Record<string, readonly string[]>>
}

/** The section about which a person asks. */
export interface WhoJob extends Job {
  readonly file: string
  /** The first line of the section, from 1; 0 for a .htaccess file. */
  readonly line: number
}

/** New texts of a file that the migration from 2.2 to 2.4 changes. */
export interface Migrated {
  readonly before: string
  readonly after: string
  /** Lines that stay in the old form, with the reason. */
  readonly left: readonly string[]
}

/**
 * Answers questions about configurations with the server's own code, elsewhere: in another process, which may fail,
 * and takes its time. It executes no program and writes no file.
 */
export interface Analyser {
  catalogue(): Promise<CatalogueData>
  /** Loads the configuration, and reports every line that does not load. */
  check(job: Job): Promise<Checked>
  /** Access rules without the effect that they suggest. */
  lint(job: Job): Promise<readonly Trouble[]>
  /** A table for people. */
  who(job: WhoJob): Promise<string>
  migrate(job: Job & { readonly file: string }): Promise<Migrated>
  close(): void
}
