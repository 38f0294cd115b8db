import type { MethodSet } from './methods.ts'
import type { Server } from './server.ts'
import type { ConfigServices } from './services.ts'

/** The error of a nested directive, with its own place. Handlers return it unchanged and never create one. */
export interface CommandError {
  readonly message: string
  readonly file: string
  readonly line: number
}

export type SectionKind =
  | 'Directory'
  | 'DirectoryMatch'
  | 'Location'
  | 'LocationMatch'
  | 'Files'
  | 'FilesMatch'
  | 'Limit'
  | 'VirtualHost'
  | '.htaccess'
  | 'server'

/** A section of the configuration or a .htaccess file: the origin of values. */
export interface SectionInfo {
  readonly kind: SectionKind
  /** As written, `<Directory "/srv">`; for a .htaccess file its path. */
  readonly title: string
  /** The path, URL prefix or pattern of the section; '' for the server. */
  readonly argument: string
  readonly file: string
  readonly line: number
  /** The section around it (a `<Files>` in a `<Directory>`), or null. */
  readonly parent: SectionInfo | null
  /** The server that the section belongs to. */
  readonly server: Server
}

/** The line that a directive's handler processes, and the operations available to the handler. */
export interface Command {
  /** The name as declared, which messages print, and as typed. */
  readonly name: string
  readonly typedName: string
  /** Everything after the name, as written. */
  readonly text: string
  readonly file: string
  readonly line: number
  /** The server being configured. */
  readonly server: Server
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
  readonly services: ConfigServices
  /** Splits a text into words by the configuration's quoting rules. */
  words(text: string): string[]
  /** Makes a path absolute, relative to the ServerRoot, and normalises it. */
  serverRelative(path: string): string
  /**
   * Writes a configuration-time line (`[authz_core:warn] ...`) now: to the console during the start, to the
   * log during a reload.
   */
  report(level: 'warn' | 'notice' | 'error', code: string, text: string): void
  /** Inside a container's handler: handles its children in the surrounding section. */
  walk(): CommandError | undefined
  /**
   * In a directive that is executed while the configuration is read: takes the next line of the file.
   * @returns null at the end of the file
   */
  cfgGetline(): string | null
  /**
   * Parses the argument of `<Name argument>`.
   * @returns the bare argument, or the error text (`directive requires additional arguments` and so on)
   */
  sectionArgument(text: string): { readonly argument: string } | { readonly error: string }
}

export function isCommandError(value: object): value is CommandError {
  return 'message' in value && 'file' in value && 'line' in value
}
