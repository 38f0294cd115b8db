import type { Place, UpgradeFinding, Weight } from './finding.ts'

/** Number of the form of {@link UpgradeReport}; it grows when a program that reads the old form would go wrong. */
export const REPORT_FORM = 1

/** What stands between a configuration and 2.4: plain data, what `gatewright upgrade-report --json` prints. */
export interface UpgradeReport {
  readonly form: typeof REPORT_FORM
  /** The file, or folder, that was asked about. */
  readonly subject: string
  readonly origin: Origin
  /** `ready` when nothing is to be done or looked at. */
  readonly verdict: 'ready' | 'needs work'
  readonly counts: Readonly<Record<Weight, number>>
  readonly compat: Compat
  /** What to do, in this order. */
  readonly steps: readonly Step[]
  readonly findings: readonly UpgradeFinding[]
  /** Files that were read. */
  readonly files: readonly string[]
  /** Files and folders that could not be read, with the reason. */
  readonly unread: readonly string[]
}

/** Which line of httpd a configuration is written for; `both` when guards tell them apart. */
export interface Origin {
  readonly line: '2.2' | '2.4' | 'both' | 'unknown'
  /** What tells; null where nothing does, or where the command line said so. */
  readonly evidence: (Place & { readonly text: string }) | null
}

/** Whether mod_access_compat has to be loaded, before and after `gatewright migrate`. */
export interface Compat {
  readonly now: boolean
  readonly afterMigration: boolean
}

export interface Step {
  readonly text: string
  /** A command line to do it with; null where there is none. */
  readonly command: string | null
}
