import type { ResourceLimit } from '@gatewright/api'

/** A program to start. All text is bytes, one character each. */
export interface ProgramSpec {
  /** An absolute path. */
  readonly file: string
  /** The first of its arguments, its own name. */
  readonly name: string
  readonly args: readonly string[]
  /** The folder in which it runs. */
  readonly folder: string
  readonly env: readonly (readonly [name: string, value: string])[]
  readonly limits: ProgramLimits
  /** `server`: its errors go where those of the server go. `apart`: the caller reads them. */
  readonly errors: 'server' | 'apart'
  /** Whether the caller writes to its standard input, which is empty otherwise. */
  readonly hasInput: boolean
}

/** Limits of the system; null for none. */
export interface ProgramLimits {
  readonly cpu: ResourceLimit | null
  readonly memory: ResourceLimit | null
  readonly processes: ResourceLimit | null
}

export const NO_LIMITS: ProgramLimits = { cpu: null, memory: null, processes: null }

/** What the spawner is asked for on a connection: a program, whose output it becomes, or to be another stream of one. */
export type SpawnRequest =
  | { readonly id: number; readonly stream?: undefined; readonly spec: ProgramSpec }
  | { readonly id: number; readonly stream: 'errors' | 'input' }

/** What the spawner is asked for beside the connections: to end a program. */
export interface EndRequest {
  readonly end: number
  /** `left`: its output has ended. `broken`: nobody waits for it any more, and its own children are ended too. */
  readonly how: 'left' | 'broken'
}

/** What the spawner reports: that it listens, that a program runs, why it does not, that it has ended. */
export type SpawnReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'started'; readonly id: number; readonly pid: number }
  | { readonly kind: 'failed'; readonly id: number; readonly errno: number }
  | { readonly kind: 'ended'; readonly id: number; readonly status: number | null; readonly signal: string | null }
