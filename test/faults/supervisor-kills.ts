import { gone, isRunning } from '../fixtures/processes.ts'
import { until } from '../fixtures/until.ts'
import { WHOLE_MIX } from '../load/habits.ts'
import { ServerUnderLoad } from '../load/server-under-load.ts'
import { check, type Experiment } from './experiment.ts'

/** Kills the supervisor, and starts the server again at once, beside workers that complete their requests. */
export const supervisorKills: Experiment = {
  name: 'kill -9 of the supervisor, and a start at once',
  async run(owner, times, progress) {
    const site = await ServerUnderLoad.start(owner, { workers: 2, mix: WHOLE_MIX })
    const { load, server } = site
    const orphans = new Set<number>()
    let slowestStart = 0
    let slowestEnd = 0
    let beside = 0
    for (let done = 1; done <= times; done++) {
      const workers = site.workers()
      const generations = site.generations()
      for (const pid of workers) orphans.add(pid)
      const began = performance.now()
      process.kill(server.pid, 'SIGKILL')
      await gone([server.pid])
      await server.start()
      await until('the new server serves', () => site.generations() > generations)
      slowestStart = Math.max(slowestStart, performance.now() - began)
      if (workers.some(isRunning)) beside++
      await gone(workers)
      slowestEnd = Math.max(slowestEnd, performance.now() - began)
      await load.answers(200)
      progress(done, load.report())
    }
    const report = await load.stop()
    const ended = await server.stop()
    // A kept connection that is idle when its worker drains is closed, perhaps while a request is in transit,
    // which no server can answer.
    const cutOff = load.failures.filter(
      ({ kind, place }) => / in the answer$/.test(kind) || (place === 'first' && kind === 'closed without answer'),
    )
    return {
      load: report,
      figures: {
        'starts beside workers that drained': beside,
        'slowest start (ms)': Math.round(slowestStart),
        'slowest end of a worker (ms)': Math.round(slowestEnd),
      },
      checks: [
        check('every request is counted', report.right + report.failed === report.requests),
        check('no answer that had begun is cut off', cutOff.length === 0),
        check('the new server starts each time', site.generations() === times + 1),
        check('workers without supervisor end', ![...orphans].some(isRunning)),
        check('the server ends with status 0', ended?.status === 0),
      ],
    }
  },
}
