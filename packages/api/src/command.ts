import type { ContainerKey } from './container-key.ts'
import type { Override, SetResult } from './directive.ts'
import type { OsError } from './log.ts'
import type { MethodSet } from './methods.ts'
import type { Server } from './server.ts'
import type { ConfigServices } from './services.ts'

/** The error of a nested directive, with its own place. Handlers return it unchanged and never create one. */
export interface CommandError {
  /** What is wrong, without file and line. */
  readonly message: string
  /** File of the nested directive. */
  readonly file: string
  /** Line in it, from 1. */
  readonly line: number
}

/**
 * What forms a section: its container, a .htaccess file, the server itself, or the directives of a provider
 * alias (`overlay`).
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
  | 'Proxy'
  | 'ProxyMatch'

/** A section of the configuration or a .htaccess file: the origin of values. */
export interface SectionInfo {
  /** What forms the section. */
  readonly kind: SectionKind
  /** As written, `<Directory "/srv">`; for a .htaccess file its path. */
  readonly title: string
  /** The path, URL prefix or pattern of the section; '' for the server. */
  readonly argument: string
  /** The file in which it begins. */
  readonly file: string
  /** Line of its first directive or container line, from 1; 0 for a whole file. */
  readonly line: number
  /** The section around it (a `<Files>` in a `<Directory>`), or null. */
  readonly parent: SectionInfo | null
  /** The server that the section belongs to. */
  readonly server: Server
  /** Its position in the order of merging; compare with {@link mergedLater}. */
  readonly rank: readonly number[]
}

/**
 * Whether, of two sections that apply to one request, the first is merged later than the second and is
 * therefore the more specific one.
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
  /** The name as declared, which messages print. */
  readonly name: string
  /** The name as typed, in any mixture of cases. */
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
  /** Services for handlers: patterns, expressions, files. */
  readonly services: ConfigServices
  /** Splits a text into words by the configuration's quoting rules. */
  words(text: string): string[]
  /** Makes a path absolute, relative to the ServerRoot, and normalises it. */
  serverRelative(path: string): string
  /**
   * Writes a configuration-time line (`[authz_core:warn] ...`) now: to the console during the start, to the
   * log during a reload.
   * @param cause since API 2.4.6: a system error, printed before the code as in the error log
   */
  report(level: 'warn' | 'notice' | 'error', code: string, text: string, cause?: OsError | Error): void
  /**
   * Inside a container's handler: handles its children in the surrounding section, which receives what they
   * set.
   * @param override restricts the override classes of the children; `<Limit>` stays allowed where httpd
   *   allows it
   */
  walk(override?: readonly Override[]): CommandError | undefined
  /**
   * Like {@link Command.walk}, and hands an object to the directives inside, at any depth and of any module, which get it by
   * {@link Command.handed}.
   * @since 2.4.6
   */
  walkWith<T>(key: ContainerKey<T>, object: T, override?: readonly Override[]): CommandError | undefined
  /**
   * What the innermost container around this line has handed over for a key; undefined outside of such containers.
   * @since 2.4.6
   */
  handed<T>(key: ContainerKey<T>): T | undefined
  /**
   * Like {@link Command.walk}, for a container that is allowed in a .htaccess file. There, its children can
   * be handled after its handler has returned, before the next line of the file, and other requests are
   * served in between. So the handler must return the result immediately after the call.
   * @param override see {@link Command.walk}; undefined restricts nothing
   * @param act called after all children have been accepted, never otherwise; its return value is the result
   *   of the container
   * @since 2.4.5
   */
  walkThen(override: readonly Override[] | undefined, act: () => SetResult): SetResult
  /**
   * Inside a container's handler: handles its children as a separate set that {@link Request.withOverlay} can
   * apply.
   */
  walkOverlay(override?: readonly Override[]): Overlay | CommandError
  /**
   * Inside a container's handler: handles its children as a section of the module, in which everything is allowed that
   * is allowed in `<Location>`. {@link Request.mergeSections} applies it.
   * @param argument the path, URL prefix or pattern
   * @since 2.4.6
   */
  walkSection(kind: 'Proxy' | 'ProxyMatch', argument: string): Overlay | CommandError
  /**
   * In a directive that is executed while the configuration is read: inserts these lines in place of the
   * directive.
   * @param title the file name in messages about the lines, which are numbered from 1
   * @since 2.4.3
   */
  insertLines(title: string, lines: readonly string[]): void
  /**
   * Parses the argument of `<Name argument>`.
   * @returns the bare argument, or the error text (`directive requires additional arguments` and so on)
   */
  sectionArgument(text: string): { readonly argument: string } | { readonly error: string }
}

/** Directives of a provider alias, merged over a request's configuration while its check runs. */
export interface Overlay {
  /** The section that the directives form. */
  readonly section: SectionInfo
}

/**
 * Distinguishes the error of a nested directive from other objects, regardless of the copy of this package
 * that made it.
 */
export function isCommandError(value: object): value is CommandError {
  return 'message' in value && 'file' in value && 'line' in value
}
