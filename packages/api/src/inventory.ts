import type { HookName } from './hooks.ts'

/** One directive or container of the server's configuration as it was read. */
export interface ConfigLine {
  /** As typed; the name of a container begins with `<`. */
  readonly name: string
  /** The rest of the line with its quotes; for a container, with its `>`. */
  readonly text: string
  /** File of the line. */
  readonly file: string
  /** Its number, from 1. */
  readonly line: number
  /**
   * Source name of the module that implements the directive; null for a directive that selects lines
   * (`<IfModule>`).
   */
  readonly source: string | null
  /** Null for a directive. */
  readonly children: readonly ConfigLine[] | null
}

/** A directive of a module. */
export interface DirectiveEntry {
  /** As declared by the module; containers with their brackets. */
  readonly name: string
  /** Its help text in `-L`, or an empty text. */
  readonly help: string
}

/** A loaded module. */
export interface ModuleEntry {
  /** Source name, `mod_greeting.c`. */
  readonly source: string
  /**
   * The functions that it provides: creating configuration objects of sections and servers, and merging them.
   */
  readonly configures: readonly ('create directory' | 'merge directory' | 'create server' | 'merge server')[]
  /** Its directives, in the order of its table. */
  readonly directives: readonly DirectiveEntry[]
}

/** A function of a hook. */
export interface HookEntry {
  /** Source name of the module. */
  readonly source: string
  /** httpd's number of its rank, -10 to 30. */
  readonly rank: number
}

/** The components of a server, for pages that show them. */
export interface ServerInventory {
  /** ServerRoot, absolute. */
  readonly serverRoot: string
  /** The main configuration file, absolute. */
  readonly configFile: string
  /** In load order. */
  readonly modules: readonly ModuleEntry[]
  /** The functions of each hook in the order in which they run. */
  readonly hooks: readonly { readonly name: HookName; readonly functions: readonly HookEntry[] }[]
  /** The groups of providers with the names of their members. */
  readonly providers: readonly { readonly group: string; readonly names: readonly string[] }[]
  /** The lines of all server files, in the order in which they were read. */
  readonly config: readonly ConfigLine[]
  /** The maximum number of processes. */
  readonly maxProcesses: number
  /** Requests that a process handles at a time. */
  readonly threadsPerProcess: number
}
