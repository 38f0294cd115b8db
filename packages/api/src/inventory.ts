import type { HookName } from './hooks.ts'

/** One directive or container of the server's configuration as it was read. */
export interface ConfigLine {
  /** As typed; a container's begins with `<`. */
  readonly name: string
  /** The rest of the line, quotes untouched; of a container with its `>`. */
  readonly text: string
  readonly file: string
  readonly line: number
  /** Source name of the module that has the directive, null for one that decides about lines (`<IfModule>`). */
  readonly source: string | null
  /** Null for a directive. */
  readonly children: readonly ConfigLine[] | null
}

export interface DirectiveEntry {
  readonly name: string
  readonly help: string
}

export interface ModuleEntry {
  readonly source: string
  /** What it has functions for: configuration objects of sections and servers, and their merging. */
  readonly configures: readonly ('create directory' | 'merge directory' | 'create server' | 'merge server')[]
  readonly directives: readonly DirectiveEntry[]
}

/** A function in a hook. */
export interface HookEntry {
  readonly source: string
  /** httpd's number of its rank, -10 to 30. */
  readonly rank: number
}

/** What a server is made of, for pages that show it. */
export interface ServerInventory {
  readonly serverRoot: string
  readonly configFile: string
  /** In load order. */
  readonly modules: readonly ModuleEntry[]
  /** The functions of each hook in the order in which they run. */
  readonly hooks: readonly { readonly name: HookName; readonly functions: readonly HookEntry[] }[]
  readonly providers: readonly { readonly group: string; readonly names: readonly string[] }[]
  /** The lines of all server files, in the order in which they were read. */
  readonly config: readonly ConfigLine[]
  /** Of the process model: processes, and requests that each of them works on at a time. */
  readonly maxProcesses: number
  readonly threadsPerProcess: number
}
