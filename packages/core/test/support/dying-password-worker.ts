import { parentPort } from 'node:worker_threads'
import type { PasswordJob } from '../../src/services/passwords.ts'

/** A password thread that comes to the end that the password asks for; every other password matches. */
parentPort?.on('message', ({ id, password }: PasswordJob) => {
  switch (password) {
    case 'throw':
      throw new Error('the hash went wrong')
    case 'exit':
      process.exit(3)
      break
    case 'exhaust':
      for (const kept: string[] = []; ; ) kept.push(Math.random().toString().repeat(1000))
    default:
      parentPort?.postMessage({ id, matches: true })
  }
})
