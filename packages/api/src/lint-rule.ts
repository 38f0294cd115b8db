import type { SectionInfo } from './command.ts'
import type { Server } from './server.ts'

/**
 * The severity of a finding: an `error` opens or breaks something; a `warning` is a line without the effect that it
 * suggests, or something that will break; a `note` is a trap without consequences so far.
 * @suppliedByModules
 * @since 2.4.6
 */
export type LintSeverity = 'error' | 'warning' | 'note'

/**
 * A property of a configuration that is wrong, or easily misunderstood.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface LintFinding {
  /** Absolute path of the file with the line. */
  readonly file: string
  /** From 1; 0 for a whole file. */
  readonly line: number
  /** What is wrong, in one sentence without a full stop. */
  readonly message: string
  /** What to do. */
  readonly hint: string
  /** If it differs from the rule's. */
  readonly severity?: LintSeverity
}

/**
 * A line of a server or section.
 * @since 2.4.6
 */
export interface LintedLine {
  /** The directive as typed. */
  readonly name: string
  /** The rest of the line, with expanded variables and its quotes. */
  readonly text: string
  /** File of the line. */
  readonly file: string
  /** Its number, from 1. */
  readonly line: number
}

/**
 * A loaded configuration to which rules are applied. Nothing is served, and `postConfig` has not run.
 * @since 2.4.6
 */
export interface LintedConfiguration {
  /** Main server first, then virtual hosts in file order. */
  readonly servers: readonly Server[]
  /**
   * Sections of the server's files, in file order, then those of .htaccess files that the tool has met;
   * `ModuleHost.configIn` returns a module's configuration from each.
   */
  readonly sections: readonly SectionInfo[]
  /** The present time in milliseconds since 1970. */
  readonly now: number
  /**
   * Lines of a directive that are directly in a server or section, in their order; those of sections inside are not
   * included, nor those that a virtual host inherits.
   * @param directive in any case
   */
  linesOf(scope: Server | SectionInfo, directive: string): readonly LintedLine[]
  /** The words of a line's text by the configuration's quoting rules. */
  words(text: string): string[]
}

/**
 * A kind of mistake that a module finds in configurations. Group `lintRules`, by an id such as `SSL001`, which is never
 * reused for another rule; `gatewright lint` and `httpd -t --lint` print it with each finding.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface LintRule {
  /** A few words for tables. */
  readonly about: string
  /** Unless a finding has another one. */
  readonly severity: LintSeverity
  /**
   * True if `httpd -t` and a start print the findings as hints, too: such a rule reads no files and takes no time
   * to speak of.
   */
  readonly isHint?: boolean
  /** The findings. May be called several times. An error is reported with the id of the rule. */
  find(configuration: LintedConfiguration): readonly LintFinding[]
}
