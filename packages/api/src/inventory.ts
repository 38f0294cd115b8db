import type { HookName } from './hooks.ts'

/** One directive or container of the server's configuration as it was read. */
export interface ConfigLine {
  /** As typed; a container's begins with `<`. */
  readonly name: string
  /** The rest of the line, quotes untouched; of a container with its `>`. */
  readonly text: string
  /** File of the line. */
  readonly file: string
  /** Its number, from 1. */
  readonly line: number
  /**
   * Source name of the module that has the directive, null for one that decides about lines (`<IfModule>`).
   */
  readonly source: string | null
  /** Null for a directive. */
  readonly children: readonly ConfigLine[] | null
}

/** A directive that a module has. */
export interface DirectiveEntry {
  /** As the module declares it; containers with their brackets. */
  readonly name: string
  /** Its line of `-L`, or an empty text. */
  readonly help: string
}

/** A module that is loaded. */
export interface ModuleEntry {
  /** Source name, `mod_greeting.c`. */
  readonly source: string
  /** What it has functions for: configuration objects of sections and servers, and their merging. */
  readonly configures: readonly ('create directory' | 'merge directory' | 'create server' | 'merge server')[]
  /** Its directives, in the order of its table. */
  readonly directives: readonly DirectiveEntry[]
}

/** A function in a hook. */
export interface HookEntry {
  /** Source name of the module. */
  readonly source: string
  /** httpd's number of its rank, -10 to 30. */
  readonly rank: number
}

/** What a server is made of, for pages that show it. */
export interface ServerInventory {
  /** ServerRoot, absolute. */
  readonly serverRoot: string
  /** The main configuration file, absolute. */
  readonly configFile: string
  /** In load order. */
  readonly modules: readonly ModuleEntry[]
  /** The functions of each hook in the order in which they run. */
  readonly hooks: readonly { readonly name: HookName; readonly functions: readonly HookEntry[] }[]
  /** The groups of providers with the names in them. */
  readonly providers: readonly { readonly group: string; readonly names: readonly string[] }[]
  /** The lines of all server files, in the order in which they were read. */
  readonly config: readonly ConfigLine[]
  /** Of the process model: processes, and requests that each of them works on at a time. */
  readonly maxProcesses: number
  /** Requests that a process works on at a time. */
  readonly threadsPerProcess: number
}
