import { readdirSync } from 'node:fs'
import { gone } from '../fixtures/processes.ts'
import { WHOLE_MIX } from '../load/habits.ts'
import { comparedWithLog } from '../load/log-check.ts'
import { ServerUnderLoad } from '../load/server-under-load.ts'
import { check, type Experiment, nothingFailed } from './experiment.ts'

/** The numbers of workers that generations have in turn. */
const SIZES = [2, 3, 1] as const

/**
 * Reloads the configuration repeatedly, as fast as generations start to serve, with a different number of
 * workers each time.
 */
export const reloads: Experiment = {
  name: 'graceful reloads',
  async run(owner, times, progress) {
    const site = await ServerUnderLoad.start(owner, { workers: 2, mix: WHOLE_MIX })
    const { load, server } = site
    const former = new Set<number>()
    const descriptors = openDescriptors(server.pid)
    for (let done = 1; done <= times; done++) {
      site.resize(SIZES[done % SIZES.length])
      for (const pid of await site.reload('SIGUSR1')) former.add(pid)
      await load.answers(200)
      progress(done, load.report())
    }
    const report = await load.stop()
    const generations = site.generations()
    const left = openDescriptors(server.pid) - descriptors
    const ended = await server.stop()
    await gone([...former])
    const { lost, duplicated } = comparedWithLog(site)
    return {
      load: report,
      figures: { generations, workers: former.size, 'lines lost': lost.length, 'lines twice': duplicated.length },
      checks: [
        nothingFailed(report),
        check('each reload makes a generation', generations === times + 1),
        check('the supervisor keeps no descriptors of generations that have gone', left <= OF_DRAINING),
        check('each answer is in the access log once', lost.length + duplicated.length === 0),
        check('the server ends with status 0 and without a word', ended?.status === 0 && ended.stderr.length === 0),
      ],
    }
  },
}

/** Channels and logs of generations that still drain at the time of the check. */
const OF_DRAINING = 40

function openDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}
