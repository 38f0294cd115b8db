import type { MethodSet } from './methods.ts'
import type { Server } from './server.ts'
import type { ConfigServices } from './services.ts'

/** The error of a nested directive, with its own place. Handlers pass it on; they never make one. */
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

/** A section of the configuration, or a .htaccess file: where values come from. */
export interface SectionInfo {
  readonly kind: SectionKind
  /** As it is written, `<Directory "/srv">`; the path of a .htaccess file. */
  readonly title: string
  /** The path, URL prefix or pattern of the section; '' for the server. */
  readonly argument: string
  readonly file: string
  readonly line: number
  /** The section around it (a `<Files>` in a `<Directory>`), or null. */
  readonly parent: SectionInfo | null
  /** The server the section belongs to. */
  readonly server: Server
}

/** What a directive's handler is told about the line it handles, and what it may do. */
export interface Command {
  /** The name as declared (messages print this one), and as typed. */
  readonly name: string
  readonly typedName: string
  /** Everything behind the name, as written. */
  readonly text: string
  readonly file: string
  readonly line: number
  /** The server being configured. */
  readonly server: Server
  readonly section: SectionInfo
  /** Name of the container the line stands in directly, without brackets (`RequireAll`, `Directory`); null at the top of a file. */
  readonly container: string | null
  /** True in a .htaccess file (also inside a section of it). */
  readonly inHtaccess: boolean
  /** Methods of the enclosing `<Limit>`; MethodSet.ALL outside. */
  readonly limited: MethodSet
  readonly services: ConfigServices
  /** Splits a text into words by the configuration's quoting rules. */
  words(text: string): string[]
  /** A path relative to the ServerRoot made absolute and normal. */
  serverRelative(path: string): string
  /** Writes a configuration-time line (`[authz_core:warn] ...`) now: on the console while starting, in the log at a reload. */
  report(level: 'warn' | 'notice' | 'error', code: string, text: string): void
  /** Inside a container's handler: handles its children in the surrounding section. */
  walk(): CommandError | undefined
  /** In a directive that is executed while the configuration is read: takes the next line of the file itself; null at its end. */
  cfgGetline(): string | null
  /** The words that make `<Name>` wrong (`directive requires additional arguments` and so on), or undefined. Bare argument text otherwise in `argument`. */
  sectionArgument(text: string): { readonly argument: string } | { readonly error: string }
}

export function isCommandError(value: object): value is CommandError {
  return 'message' in value && 'file' in value && 'line' in value
}
