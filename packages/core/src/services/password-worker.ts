import { parentPort } from 'node:worker_threads'
import { verifyPassword } from '@gatewright/passwd'
import type { PasswordJob } from './passwords.ts'

// One hash at a time: the queue is kept by the pool, so that it can be bounded.
parentPort?.on('message', ({ id, stored, password }: PasswordJob) => {
  parentPort?.postMessage({ id, matches: verifyPassword(stored, Buffer.from(password, 'latin1')) })
})
