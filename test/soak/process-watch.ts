import { readdirSync, readFileSync } from 'node:fs'
import { childrenOf } from '../fixtures/processes.ts'
import type { Sample } from './trend.ts'

const EVERY = 1_000
const MIB_IN_KIB = 1024

export interface Watched {
  readonly pid: number
  readonly role: 'supervisor' | 'worker'
  /** Resident memory, MiB. */
  readonly memory: Sample[]
}

/** Looks once a second at the memory of a supervisor and of whatever children it has. */
export class ProcessWatch {
  readonly processes: Map<number, Watched> = new Map()
  readonly #supervisor: number
  readonly #began = performance.now()
  readonly #timer: NodeJS.Timeout

  constructor(supervisor: number) {
    this.#supervisor = supervisor
    this.#timer = setInterval(() => this.#look(), EVERY)
    this.#look()
  }

  /** Seconds since the beginning. */
  get now(): number {
    return (performance.now() - this.#began) / 1000
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    for (const pid of [this.#supervisor, ...childrenOf(this.#supervisor)]) {
      const value = residentMemory(pid)
      if (value === null) continue
      const watched = this.processes.get(pid) ?? { pid, role: pid === this.#supervisor ? 'supervisor' : 'worker', memory: [] }
      this.processes.set(pid, watched)
      watched.memory.push({ at: this.now, value })
    }
  }
}

/** How many descriptors a process has open; 0 when it has ended. */
export function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

function residentMemory(pid: number): number | null {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return kib === undefined ? null : Number(kib) / MIB_IN_KIB
  } catch {
    return null
  }
}
