import type { Override, SetResult } from './directive.ts'
import type { MethodSet } from './methods.ts'
import type { Server } from './server.ts'
import type { ConfigServices } from './services.ts'

/** The error of a nested directive, with its own place. Handlers pass it on; they never make one. */
export interface CommandError {
  /** What is wrong, without file and line. */
  readonly message: string
  /** File of the nested directive. */
  readonly file: string
  /** Line in it, from 1. */
  readonly line: number
}

/**
 * What a section is made by: its container, a .htaccess file, the server itself, or the directives of a
 * provider alias (`overlay`).
 */
export type SectionKind =
  | 'Directory'
  | 'DirectoryMatch'
  | 'Location'
  | 'LocationMatch'
  | 'Files'
  | 'FilesMatch'
  | 'If'
  | 'Limit'
  | 'VirtualHost'
  | '.htaccess'
  | 'server'
  | 'overlay'

/** A section of the configuration, or a .htaccess file: where values come from. */
export interface SectionInfo {
  /** What the section is made by. */
  readonly kind: SectionKind
  /** As it is written, `<Directory "/srv">`; the path of a .htaccess file. */
  readonly title: string
  /** The path, URL prefix or pattern of the section; '' for the server. */
  readonly argument: string
  /** File in which it begins. */
  readonly file: string
  /** Line of its first directive or container line, from 1; 0 for a whole file. */
  readonly line: number
  /** The section around it (a `<Files>` in a `<Directory>`), or null. */
  readonly parent: SectionInfo | null
  /** The server the section belongs to. */
  readonly server: Server
  /** Its place in the order of merging; compare with {@link mergedLater}. */
  readonly rank: readonly number[]
}

/**
 * True when, of two sections that apply to one request, the first is merged later than the second: it is the
 * more specific one.
 */
export function mergedLater(section: SectionInfo, than: SectionInfo): boolean {
  const { rank } = section
  for (let index = 0; index < rank.length; index++) {
    const other = than.rank[index]
    if (other === undefined || rank[index] > other) return true
    if (rank[index] < other) return false
  }
  return false
}

/** The line that a directive's handler processes, and the operations available to the handler. */
export interface Command {
  /** The name as declared (messages print this one), and as typed. */
  readonly name: string
  /** The name as it is typed, in any mixture of cases. */
  readonly typedName: string
  /** Everything after the name, as written. */
  readonly text: string
  /** File of the line. */
  readonly file: string
  /** Its number, from 1. */
  readonly line: number
  /** The server being configured. */
  readonly server: Server
  /** The section whose configuration is being filled. */
  readonly section: SectionInfo
  /**
   * Name of the container that directly encloses the line, without brackets (`RequireAll`, `Directory`); null
   * at the top level of a file.
   */
  readonly container: string | null
  /** True in a .htaccess file (also inside a section of it). */
  readonly inHtaccess: boolean
  /** Methods of the enclosing `<Limit>`; MethodSet.ALL outside. */
  readonly limited: MethodSet
  /** What handlers may ask for: patterns, expressions, files. */
  readonly services: ConfigServices
  /** Splits a text into words by the configuration's quoting rules. */
  words(text: string): string[]
  /** A path relative to the ServerRoot made absolute and normal. */
  serverRelative(path: string): string
  /**
   * Writes a configuration-time line (`[authz_core:warn] ...`) now: on the console while starting, in the log
   * at a reload.
   */
  report(level: 'warn' | 'notice' | 'error', code: string, text: string): void
  /**
   * Inside a container's handler: handles its children in the surrounding section (what they set is set
   * there).
   * @param override narrows which classes of directive the children may be of; `<Limit>` stays allowed where
   * httpd allows it
   */
  walk(override?: readonly Override[]): CommandError | undefined
  /**
   * The same for a container that is allowed in a .htaccess file: there its children can be handled after its
   * handler has returned, before the next line of the file, and other requests are served in between. So the
   * handler must return the result immediately after the call.
   * @param override see {@link Command.walk}; undefined narrows nothing
   * @param act called when all children are accepted, never otherwise; its return value is the result of the
   * container
   * @since 2.4.5
   */
  walkThen(override: readonly Override[] | undefined, act: () => SetResult): SetResult
  /**
   * Inside a container's handler: handles its children as a set of its own that {@link Request.withOverlay}
   * can apply.
   */
  walkOverlay(override?: readonly Override[]): Overlay | CommandError
  /**
   * In a directive that is executed while the configuration is read: has these lines read in the place of its
   * own, as if they stood there.
   * @param title what mistakes in them name as the file, numbering the lines from 1
   * @since 2.4.3
   */
  insertLines(title: string, lines: readonly string[]): void
  /**
   * The words that make `<Name>` wrong (`directive requires additional arguments` and so on), or undefined.
   * Bare argument text otherwise in `argument`.
   */
  sectionArgument(text: string): { readonly argument: string } | { readonly error: string }
}

/** Directives of a provider alias, merged over a request's configuration while its check runs. */
export interface Overlay {
  /** The place of the directives. */
  readonly section: SectionInfo
}

/**
 * Distinguishes the error of a nested directive from other objects, regardless of the copy of this package
 * that made it.
 */
export function isCommandError(value: object): value is CommandError {
  return 'message' in value && 'file' in value && 'line' in value
}
