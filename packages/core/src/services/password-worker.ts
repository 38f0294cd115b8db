import { parentPort } from 'node:worker_threads'
import { verifyPassword } from '@gatewright/passwd'
import type { PasswordJob } from './passwords.ts'

// One hash at a time: the pool keeps the queue, so that it can be limited.
parentPort?.on('message', ({ id, stored, password }: PasswordJob) => {
  parentPort?.postMessage({ id, matches: verifyPassword(stored, Buffer.from(password, 'latin1')) })
})
