import { Worker } from 'node:worker_threads'
import type { MaybePromise } from '@gatewright/api'
import { identifyScheme, isCheap, verifyPassword } from '@gatewright/passwd'
import { VerifiedPasswords } from './verified-passwords.ts'

/** What a thread is asked. Both texts are byte strings. */
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
  /** Whether somebody still waits for the answer. */
  readonly wanted: () => boolean
  readonly resolve: (matches: boolean) => void
  readonly reject: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  current: Waiting | null
}

/** More logins than this waiting per thread are answered 503: a hash costs a thread milliseconds, and clients choose how many they send. */
const MAX_WAITING_PER_THREAD = 64

/** Too many logins are waiting, or nobody waits for this one any more. */
export class PasswordQueueFull extends Error {
  override readonly name = 'PasswordQueueFull'
}

/**
 * Verifies passwords in threads, because a hash that is hard to guess is slow to compute, and the event loop serves everybody. Threads are
 * started by the first login that needs one.
 */
export class PasswordPool {
  private readonly size: number
  private readonly threads: Thread[] = []
  private readonly queue: Waiting[] = []
  private readonly verified = new VerifiedPasswords()
  private nextId = 0
  private closed = false

  /** @param size greatest number of threads, 1 or 2 */
  constructor(size: number) {
    this.size = size
  }

  /**
   * {SHA} costs less than the message to a thread would; what no password can match, and what matched a while ago, costs next to nothing.
   * @param wanted asked before the work begins; false when nobody waits for the answer any more
   */
  verify(stored: string, password: string, wanted: () => boolean = () => true): MaybePromise<boolean> {
    const scheme = identifyScheme(stored)
    if (isCheap(scheme)) return verifyPassword(stored, Buffer.from(password, 'latin1'))
    if (scheme === 'unsupported') return false
    if (this.verified.has(stored, password)) return true
    return new Promise<boolean>((resolve, reject) => {
      if (this.closed) {
        reject(new Error('the password threads have ended'))
        return
      }
      if (this.queue.length >= MAX_WAITING_PER_THREAD * this.size) this.dropUnwanted()
      if (this.queue.length >= MAX_WAITING_PER_THREAD * this.size) {
        reject(new PasswordQueueFull(`${this.queue.length} logins are waiting`))
        return
      }
      this.queue.push({ job: { id: this.nextId++, stored, password }, wanted, resolve, reject })
      this.assign()
    })
  }

  /** Ends all threads; logins under way are refused. */
  async close(): Promise<void> {
    this.closed = true
    for (const waiting of this.queue.splice(0)) waiting.reject(new Error('the server is stopping'))
    await Promise.all(this.threads.map(({ worker }) => worker.terminate()))
  }

  /** Clients that left do not hold up those that stayed. */
  private dropUnwanted(): void {
    const waiting = this.queue.splice(0)
    for (const one of waiting) {
      if (one.wanted()) this.queue.push(one)
      else one.reject(new PasswordQueueFull('the client has gone'))
    }
  }

  private assign(): void {
    while (this.queue.length > 0) {
      if (!this.queue[0].wanted()) {
        this.queue.shift()?.reject(new PasswordQueueFull('the client has gone'))
        continue
      }
      const thread =
        this.threads.find(({ current }) => current === null) ?? (this.threads.length < this.size ? this.start() : undefined)
      if (thread === undefined) return
      const waiting = this.queue.shift()
      if (waiting === undefined) return
      thread.current = waiting
      thread.worker.postMessage(waiting.job)
    }
  }

  private start(): Thread {
    const worker = new Worker(workerFile())
    const thread: Thread = { worker, current: null }
    worker.on('message', (answer: Answer) => {
      const { current } = thread
      thread.current = null
      if (current !== null && current.job.id === answer.id) this.settle(current, answer.matches)
      this.assign()
    })
    worker.on('error', (error) => this.lost(thread, error))
    worker.on('exit', () => this.lost(thread, new Error('a password thread has ended')))
    // Waiting for logins does not keep a process alive that has nothing else to do.
    worker.unref()
    this.threads.push(thread)
    return thread
  }

  private settle({ job, resolve }: Waiting, matches: boolean): void {
    if (matches) this.verified.add(job.stored, job.password)
    resolve(matches)
  }

  private lost(thread: Thread, error: Error): void {
    const at = this.threads.indexOf(thread)
    if (at < 0) return
    this.threads.splice(at, 1)
    thread.current?.reject(error)
    if (!this.closed) this.assign()
  }
}

/** The thread's code lies beside this file: as source, or bundled beside the server's bundle. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './password-worker.ts' : './password-worker.mjs', import.meta.url)
}
