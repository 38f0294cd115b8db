import { type ResourceLimits, Worker } from 'node:worker_threads'
import type { MaybePromise } from '@gatewright/api'
import type { PasswordCounters } from '@gatewright/api/status'
import { identifyScheme, isCheap, verifyPassword } from '@gatewright/passwd'
import { isComputed } from './password-cost.ts'
import { VerifiedPasswords } from './verified-passwords.ts'

/** A request to a thread. Both texts are byte strings. */
export interface PasswordJob {
  readonly id: number
  readonly stored: string
  readonly password: string
}

interface Answer {
  readonly id: number
  readonly matches: boolean
}

interface Waiting {
  readonly job: PasswordJob
  /** Whether a request still waits for the result. */
  readonly wanted: () => boolean
  /** The result is known, and only the time that it takes counts. */
  readonly isDecoy: boolean
  readonly resolve: (matches: boolean) => void
  readonly reject: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  current: Waiting | null
}

/**
 * If more logins than this wait per thread, further logins result in 503: a hash takes a thread milliseconds,
 * and clients choose how many they send.
 */
const MAX_WAITING_PER_THREAD = 64

type Purpose = 'password' | 'decoy'

export interface PasswordPoolOptions {
  /** Maximum number of threads, 1 or 2. */
  readonly size: number
  /** Called with each text for which a password is hashed, when hashing begins. */
  readonly onHash?: (stored: string) => void
  /** The code of a thread; absent: the code that verifies passwords. */
  readonly threadFile?: URL
  /** Heap limit of each thread, in MiB; absent: Node's default. */
  readonly threadMemory?: number
}

export interface VerifyOptions {
  /** Called before the work begins; false if no request waits for the result any more. */
  readonly wanted?: () => boolean
  /** The text to hash if no password can match the stored text. */
  readonly decoy?: () => string | undefined
}

/** Too many logins are waiting, or no request waits for this one any more. */
export class PasswordQueueFull extends Error {
  override readonly name = 'PasswordQueueFull'
}

/**
 * Verifies passwords in threads, because a strong hash is slow to compute, and the event loop serves all
 * clients. The first login that needs a thread starts it.
 */
export class PasswordPool {
  readonly #size: number
  readonly #onHash: (stored: string) => void
  readonly #threadFile: URL
  readonly #limits: ResourceLimits
  readonly #threads: Thread[] = []
  readonly #queue: Waiting[] = []
  readonly #verified = new VerifiedPasswords()
  #computed = 0
  #remembered = 0
  #dropped = 0
  #nextId = 0
  #closed = false

  constructor({ size, onHash = () => undefined, threadFile = THREAD_FILE, threadMemory }: PasswordPoolOptions) {
    this.#size = size
    this.#onHash = onHash
    this.#threadFile = threadFile
    this.#limits = threadMemory === undefined ? {} : { maxOldGenerationSizeMb: threadMemory }
  }

  /**
   * {SHA} takes less time than a message to a thread; texts that no password can match, and recent matches,
   * take almost none.
   */
  verify(stored: string, password: string, { wanted = ALWAYS, decoy }: VerifyOptions = {}): MaybePromise<boolean> {
    if (!isComputed(stored)) return this.refuse(decoy?.(), password, wanted)
    if (isCheap(identifyScheme(stored))) return this.#computeHere(stored, password)
    if (this.#verified.has(stored, password)) {
      this.#remembered++
      return true
    }
    return this.#computeInThread(stored, password, wanted, 'password').then((matches) => {
      if (matches) this.#verified.add(stored, password)
      return matches
    })
  }

  /**
   * Computes the hash of the decoy and drops the result. Nothing is cached: the response always takes the
   * same time. For a client that has disconnected nothing is computed, because nobody measures the time; the refusal is
   * still logged.
   */
  refuse(decoy: string | undefined, password: string, wanted: () => boolean = ALWAYS): MaybePromise<false> {
    if (decoy === undefined || !isComputed(decoy)) return false
    if (!isCheap(identifyScheme(decoy))) return this.#computeInThread(decoy, password, wanted, 'decoy').then(() => false)
    this.#computeHere(decoy, password)
    return false
  }

  /** Totals since the start. */
  get counters(): PasswordCounters {
    return { computed: this.#computed, remembered: this.#remembered, dropped: this.#dropped }
  }

  get waiting(): number {
    return this.#queue.length
  }

  get computing(): number {
    return this.#threads.reduce((count, { current }) => (current === null ? count : count + 1), 0)
  }

  #computeHere(stored: string, password: string): boolean {
    this.#computed++
    this.#onHash(stored)
    return verifyPassword(stored, Buffer.from(password, 'latin1'))
  }

  #computeInThread(stored: string, password: string, wanted: () => boolean, purpose: Purpose): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new Error('the password threads have ended'))
        return
      }
      if (this.#queue.length >= MAX_WAITING_PER_THREAD * this.#size) this.#dropUnwanted()
      if (this.#queue.length >= MAX_WAITING_PER_THREAD * this.#size) {
        this.#dropped++
        reject(new PasswordQueueFull(`${this.#queue.length} logins are waiting`))
        return
      }
      this.#queue.push({ job: { id: this.#nextId++, stored, password }, wanted, isDecoy: purpose === 'decoy', resolve, reject })
      this.#assign()
    })
  }

  /** Ends all threads; pending logins are denied. */
  async close(): Promise<void> {
    this.#closed = true
    for (const waiting of this.#queue.splice(0)) waiting.reject(new Error('the server is stopping'))
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
  }

  /** Clients that disconnected do not delay the others. */
  #dropUnwanted(): void {
    const waiting = this.#queue.splice(0)
    for (const one of waiting) {
      if (one.wanted()) this.#queue.push(one)
      else this.#drop(one)
    }
  }

  #drop(waiting: Waiting): void {
    this.#dropped++
    if (waiting.isDecoy) waiting.resolve(false)
    else waiting.reject(new PasswordQueueFull('the client has disconnected'))
  }

  #assign(): void {
    while (this.#queue.length > 0) {
      if (!this.#queue[0].wanted()) {
        const unwanted = this.#queue.shift()
        if (unwanted !== undefined) this.#drop(unwanted)
        continue
      }
      const thread =
        this.#threads.find(({ current }) => current === null) ?? (this.#threads.length < this.#size ? this.#start() : undefined)
      if (thread === undefined) return
      const waiting = this.#queue.shift()
      if (waiting === undefined) return
      thread.current = waiting
      this.#computed++
      this.#onHash(waiting.job.stored)
      thread.worker.postMessage(waiting.job)
    }
  }

  #start(): Thread {
    const worker = new Worker(this.#threadFile, { resourceLimits: this.#limits })
    const thread: Thread = { worker, current: null }
    worker.on('message', (answer: Answer) => {
      const { current } = thread
      thread.current = null
      if (current !== null && current.job.id === answer.id) current.resolve(answer.matches)
      this.#assign()
    })
    worker.on('error', (error) => this.#lost(thread, error))
    worker.on('exit', () => this.#lost(thread, new Error('a password thread has ended')))
    // Pending logins alone do not keep the process alive.
    worker.unref()
    this.#threads.push(thread)
    return thread
  }

  #lost(thread: Thread, error: Error): void {
    const at = this.#threads.indexOf(thread)
    if (at < 0) return
    this.#threads.splice(at, 1)
    thread.current?.reject(error)
    if (!this.#closed) this.#assign()
  }
}

/** The file is in the same folder as this one: as source, or next to the server's bundle. */
const THREAD_FILE = new URL(import.meta.url.endsWith('.ts') ? './password-worker.ts' : './password-worker.mjs', import.meta.url)

const ALWAYS = (): boolean => true
