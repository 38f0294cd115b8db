import type { Place, UpgradeFinding, Weight } from './finding.ts'

/**
 * Number of the form of {@link UpgradeReport}; it grows when a program that reads the old form would go
 * wrong.
 */
export const REPORT_FORM = 1

/**
 * The changes that a configuration needs for 2.4: plain data, printed by `gatewright upgrade-report --json`.
 */
export interface UpgradeReport {
  readonly form: typeof REPORT_FORM
  /** The file or folder of the report. */
  readonly subject: string
  readonly origin: Origin
  /** `ready` if there is nothing to change or check. */
  readonly verdict: 'ready' | 'needs work'
  /** Modules of httpd that the configuration loads and this server does not provide, each once. */
  readonly missing: readonly string[]
  readonly counts: Readonly<Record<Weight, number>>
  readonly compat: Compat
  /** The work, in this order. */
  readonly steps: readonly Step[]
  readonly findings: readonly UpgradeFinding[]
  /** Files that were read. */
  readonly files: readonly string[]
  /** Files and folders that could not be read, with the reason. */
  readonly unread: readonly string[]
}

/** The version of httpd for which the configuration was written; `both` if guards distinguish them. */
export interface Origin {
  readonly line: '2.2' | '2.4' | 'both' | 'unknown'
  /** The evidence; null if there is none, or if the command line specifies the version. */
  readonly evidence: (Place & { readonly text: string }) | null
}

/** Whether mod_access_compat has to be loaded, before and after `gatewright migrate`. */
export interface Compat {
  readonly now: boolean
  readonly afterMigration: boolean
}

export interface Step {
  readonly text: string
  /** A command line that does it; null if there is none. */
  readonly command: string | null
}
