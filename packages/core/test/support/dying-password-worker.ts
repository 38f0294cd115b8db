import { parentPort } from 'node:worker_threads'
import type { PasswordJob } from '../../src/services/passwords.ts'

/** A password thread that ends in the way given by the password; every other password matches. */
parentPort?.on('message', ({ id, password }: PasswordJob) => {
  switch (password) {
    case 'throw':
      throw new Error('the hash went wrong')
    case 'exit':
      process.exit(3)
      break
    case 'exhaust':
      // In small pieces: a large one may end the whole process before V8 can end the thread.
      for (let kept: object = {}; ; ) kept = { kept, more: Math.random() }
    default:
      parentPort?.postMessage({ id, matches: true })
  }
})
