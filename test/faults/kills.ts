import { setTimeout as pause } from 'node:timers/promises'
import { WHOLE_MIX } from '../load/habits.ts'
import { ServerUnderLoad } from '../load/server-under-load.ts'
import { killUnderLoad, type WorkerKill } from '../load/worker-kill.ts'
import { check, type Experiment } from './experiment.ts'

/**
 * More than five deaths in ten seconds count as a fault of the workers, whose successors are then delayed.
 */
const APART = 2_100

/** Kills one worker of two, now this, now that one. */
export const kills: Experiment = {
  name: 'kill -9 of a worker',
  async run(owner, times, progress) {
    const site = await ServerUnderLoad.start(owner, { workers: 2, mix: WHOLE_MIX })
    const { load, server } = site
    const victims = new Set<number>()
    const all: WorkerKill[] = []
    for (let done = 1; done <= times; done++) {
      await pause(APART)
      const workers = site.workers()
      const victim = workers[done % workers.length]
      victims.add(victim)
      all.push(await killUnderLoad(site, victim))
      await load.answers(200)
      progress(done, load.report())
    }
    const report = await load.stop()
    const ended = await server.stop()
    const underWay = all.reduce((sum, kill) => sum + kill.underWay, 0)
    const mayFail = all.reduce((sum, kill) => sum + kill.mayFail(), 0)
    const slowest = Math.max(...all.map(({ msToSuccessor }) => msToSuccessor))
    const cutOff = load.failures.filter(({ kind }) => /^(reset|closed) /.test(kind))
    return {
      load: report,
      figures: {
        'requests under way at the kills': underWay,
        'sent while the worker was dying': mayFail - underWay,
        'slowest successor (ms)': Math.round(slowest),
      },
      checks: [
        check('every request is counted', report.right + report.failed === report.requests),
        check('only requests that were under way fail', report.failed <= mayFail),
        check('they are cut off, no connection is refused', cutOff.length === report.failed),
        check(
          'none fails on a connection of another worker',
          load.failures.every(({ worker }) => worker === null || victims.has(worker)),
        ),
        check(
          'one process takes the place of each',
          all.every(({ replacedBy }) => replacedBy.length === 1),
        ),
        check('it is started within a second', slowest < 1_000),
        check('the server ends with status 0', ended?.status === 0),
      ],
    }
  },
}
