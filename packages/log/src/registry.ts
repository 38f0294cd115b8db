import { resolve } from 'node:path'
import { DescriptorDestination } from './descriptor-destination.ts'
import type { LogDestination, LossListener, TroubleListener } from './destination.ts'
import { FileDestination } from './file-destination.ts'
import type { Buffering } from './line-buffer.ts'

export interface RegistryOptions {
  readonly onError?: TroubleListener
  readonly onLoss?: LossListener
}

/** All destinations of a server process. A file or descriptor that is configured twice is one destination. */
export class DestinationRegistry {
  readonly #byName = new Map<string, LogDestination>()
  readonly #options: RegistryOptions

  constructor(options: RegistryOptions = {}) {
    this.#options = options
  }

  /**
   * The destination of a file. Buffered and unbuffered use are separate destinations.
   * @throws the system error if the file cannot be opened
   */
  file(path: string, buffering: Buffering = 'turn'): LogDestination {
    const name = `${buffering} file ${resolve(path)}`
    return this.#byName.get(name) ?? this.add(name, new FileDestination(path, { buffering, ...this.#options }))
  }

  /** The destination of a descriptor that the process inherited. */
  descriptor(fd: number, buffering: Buffering = 'turn'): LogDestination {
    const name = `${buffering} descriptor ${fd}`
    return this.#byName.get(name) ?? this.add(name, new DescriptorDestination(fd, { buffering, ...this.#options }))
  }

  /**
   * The destination of a program, through the pipe to it.
   * @param name the program's name in reports, and its key here
   */
  program(name: string, pipe: number): LogDestination {
    return this.#byName.get(name) ?? this.add(name, new DescriptorDestination(pipe, { name, ...this.#options }))
  }

  /** Takes ownership of a destination of another kind. A duplicate name is a programming error. */
  add(name: string, destination: LogDestination): LogDestination {
    if (this.#byName.has(name)) throw new Error(`log destination '${name}' is registered already`)
    this.#byName.set(name, destination)
    return destination
  }

  /** Lines that could not be written so far, in all destinations. */
  get droppedLines(): number {
    let lines = 0
    for (const destination of this.#byName.values()) lines += destination.droppedLines ?? 0
    return lines
  }

  flushAll(): void {
    for (const destination of this.#byName.values()) destination.flush()
  }

  reopenAll(): void {
    for (const destination of this.#byName.values()) destination.reopen()
  }

  /**
   * Closes and removes all destinations.
   * @param last the destination for reports about lines that the others lost
   */
  closeAll(last?: LogDestination): void {
    for (const destination of this.#byName.values()) if (destination !== last) destination.close()
    last?.close()
    this.#byName.clear()
  }
}
