import { setTimeout as pause } from 'node:timers/promises'
import { childrenOf } from '../fixtures/processes.ts'
import { until } from '../fixtures/until.ts'
import { WHOLE_MIX } from '../load/habits.ts'
import { ServerUnderLoad } from '../load/server-under-load.ts'
import { check, type Experiment } from './experiment.ts'

/** More deaths would make the server wait with successors. */
const APART = 2_100
/** The moments (ms) after the signal at which something is killed: while the reader reads, while workers load, while the old ones drain. */
const MOMENTS = [0, 40, 90, 150, 200, 250, 320, 400, 600] as const

/** Kills any child of the supervisor, be it reader, old or new worker, at different moments of a reload. */
export const killsInReloads: Experiment = {
  name: 'kill -9 of a process in the middle of a reload',
  async run(owner, times, progress) {
    const site = await ServerUnderLoad.start(owner, { workers: 2, mix: WHOLE_MIX })
    const { load, server } = site
    const victims = new Set<number>()
    for (let done = 1; done <= times; done++) {
      await pause(APART)
      server.signal('SIGUSR1')
      await pause(MOMENTS[done % MOMENTS.length])
      const processes = childrenOf(server.pid)
      const victim = processes[done % processes.length]
      victims.add(victim)
      process.kill(victim, 'SIGKILL')
      await load.answers(200)
      progress(done, load.report())
    }
    await site.reload('SIGUSR1')
    await until('two workers are left', () => site.workers().length === 2)
    const report = await load.stop()
    const generations = site.generations()
    const ended = await server.stop()
    const cutOff = load.failures.filter(({ kind }) => /^(reset|closed) /.test(kind))
    return {
      load: report,
      figures: { generations },
      checks: [
        check('every request is counted', report.right + report.failed === report.requests),
        check('requests are cut off, no connection is refused', cutOff.length === report.failed),
        check(
          'none fails on a connection of another process',
          load.failures.every(({ worker }) => worker === null || victims.has(worker)),
        ),
        check('a good reload works after all that', generations > 1),
        check('the server ends with status 0', ended?.status === 0),
      ],
    }
  },
}
