import type { Job } from '@gatewright/language-server'
import { catalogueJob } from './catalogue-job.ts'
import { checkJob, lintJob } from './check-job.ts'
import type { AnalyserAnswer, AnalyserRequest } from './messages.ts'
import { migrateJob } from './migrate-job.ts'
import { whoJob } from './who-job.ts'

/**
 * The process that loads configurations for the language server. The server starts it without the rights to write
 * files and to start programs, so that nothing that a configuration names can do so either.
 */
process.on('message', (request: AnalyserRequest) => {
  queue = queue.then(async () => {
    const answer = await answerTo(request)
    if (process.connected) process.send?.(answer)
  })
})
process.on('disconnect', () => process.exit(0))
// A module's error that belongs to no request; the next job finds a process that works.
process.on('uncaughtException', ignore)
process.on('unhandledRejection', ignore)

/** Configurations share what modules keep for a process, so one job follows the other. */
let queue: Promise<void> = Promise.resolve()

async function answerTo({ id, kind, job }: AnalyserRequest): Promise<AnalyserAnswer> {
  try {
    return { id, result: await RUN[kind](job) }
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) }
  }
}

const RUN: Readonly<Record<AnalyserRequest['kind'], (job: FullJob) => Promise<unknown>>> = {
  catalogue: () => catalogueJob(),
  check: (job) => checkJob(job),
  lint: (job) => lintJob(job),
  who: (job) => whoJob(job),
  migrate: (job) => migrateJob(job),
}

type FullJob = Job & { readonly file: string; readonly line: number }

function ignore(): void {}
