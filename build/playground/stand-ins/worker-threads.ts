import { Buffer } from 'node:buffer'
import { EventEmitter } from 'node:events'
import { verifyPassword } from '@gatewright/passwd'

interface PasswordJob {
  readonly id: number
  readonly stored: string
  readonly password: string
}

export const isMainThread = true
export const parentPort = null
export const workerData = null

/** The thread that verifies passwords, without a thread: this page waits for one answer only. */
export class Worker extends EventEmitter {
  constructor(file: URL) {
    super()
    if (!/\/password-worker\./.test(file.href)) throw new Error('a page starts no threads')
  }

  postMessage({ id, stored, password }: PasswordJob): void {
    queueMicrotask(() => {
      try {
        this.emit('message', { id, matches: verifyPassword(stored, Buffer.from(password, 'latin1')) })
      } catch (error) {
        this.emit('error', error)
      }
    })
  }

  async terminate(): Promise<number> {
    return 0
  }
  ref(): void {}
  unref(): void {}
}
