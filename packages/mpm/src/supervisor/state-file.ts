import { readFileSync, rmSync } from 'node:fs'
import { processStart } from './process-start.ts'
import { writeOver, writeWhole } from './whole-file.ts'

/** The reload state that a server publishes to commands, in a file next to its pid file. */
export interface ServerState {
  readonly pid: number
  /** See `processStart`. */
  readonly identity: string | null
  /** Whether a supervisor of another version may take over from it. */
  readonly replaceable: boolean
  /** Reloads that have begun since the start. */
  readonly begun: number
  /** Reloads that have ended, with or without success. */
  readonly ended: number
  /** Why the last of these failed; null if the server serves what it read. */
  readonly refusal: readonly string[] | null
}

/**
 * The state file of a server, written by its supervisor. Only users who may signal the server can read it.
 */
export class StateFile {
  readonly #path: string
  #state: ServerState

  /** @param first initial values: the start of a successor counts as a reload that has begun */
  constructor(pidFile: string, pid: number, first: Pick<ServerState, 'replaceable' | 'begun'>) {
    this.#path = statePath(pidFile)
    const start = processStart(pid)
    const identity = typeof start === 'object' ? start.identity : null
    this.#state = { pid, identity, ...first, ended: 0, refusal: null }
    this.#write()
  }

  begin(): void {
    this.#state = { ...this.#state, begun: this.#state.begun + 1 }
    this.#write()
  }

  /** @param refusal why the server keeps its configuration; null if it serves the new one */
  end(refusal: readonly string[] | null): void {
    this.#state = { ...this.#state, ended: this.#state.begun, refusal }
    this.#write()
  }

  remove(): void {
    remove(this.#path)
  }

  /** An outdated state must not be read: without the file, a command reports that the outcome is unknown. */
  #write(): void {
    const text = `${JSON.stringify(this.#state)}\n`
    try {
      writeWhole(this.#path, text, 0o600)
    } catch {
      // On a full disk, the file can still be overwritten in place.
      if (!writeOver(this.#path, text)) this.remove()
    }
  }
}

/**
 * The state of the server with this pid file; undefined if the server does not publish one, or if this user
 * cannot read it.
 */
export function readState(pidFile: string): ServerState | undefined {
  try {
    return parse(JSON.parse(readFileSync(statePath(pidFile), 'utf8')))
  } catch {
    return undefined
  }
}

function statePath(pidFile: string): string {
  return `${pidFile}.state`
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The folder no longer belongs to this server.
  }
}

function parse(value: unknown): ServerState | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!('pid' in value && 'identity' in value && 'begun' in value && 'ended' in value && 'refusal' in value)) return undefined
  const { pid, identity, begun, ended, refusal } = value
  if (typeof pid !== 'number' || typeof begun !== 'number' || typeof ended !== 'number') return undefined
  if (identity !== null && typeof identity !== 'string') return undefined
  if (refusal !== null && !isLines(refusal)) return undefined
  const replaceable = 'replaceable' in value && value.replaceable === true
  return { pid, identity, replaceable, begun, ended, refusal }
}

function isLines(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((line) => typeof line === 'string')
}
