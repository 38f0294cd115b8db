import { renameSync } from 'node:fs'
import { WHOLE_MIX } from '../load/habits.ts'
import { comparedWithLog } from '../load/log-check.ts'
import { ServerUnderLoad } from '../load/server-under-load.ts'
import { check, type Experiment, nothingFailed } from './experiment.ts'

/** Renames both logs and has them opened again. */
export const rotations: Experiment = {
  name: 'rotations of the logs',
  async run(owner, times, progress) {
    const site = await ServerUnderLoad.start(owner, { workers: 2, mix: WHOLE_MIX })
    const { load, server } = site
    let used = 0
    for (let done = 1; done <= times; done++) {
      for (const log of ['access_log', 'error_log']) renameSync(server.path(`logs/${log}`), server.path(`logs/${log}.${done}`))
      await site.reload('SIGUSR1')
      await load.answers(200)
      if (server.read('logs/access_log') !== '') used++
      progress(done, load.report())
    }
    const report = await load.stop()
    const ended = await server.stop()
    const { lines, lost, duplicated } = comparedWithLog(site)
    return {
      load: report,
      figures: { 'lines in all logs': lines, 'lines lost': lost.length, 'lines twice': duplicated.length },
      checks: [
        nothingFailed(report),
        check('no line is lost', lost.length === 0),
        check('no line is there twice', duplicated.length === 0),
        check('there is a line for each request', lines === report.requests),
        check('each new file is used at once', used === times),
        check('the server ends with status 0', ended?.status === 0),
      ],
    }
  },
}
