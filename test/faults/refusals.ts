import { until } from '../fixtures/until.ts'
import { WHOLE_MIX } from '../load/habits.ts'
import { ServerUnderLoad } from '../load/server-under-load.ts'
import { check, type Experiment, nothingFailed } from './experiment.ts'

/** Signals the server with an invalid configuration, and after every fourth time with a valid one. */
export const refusals: Experiment = {
  name: 'reloads with a broken configuration',
  async run(owner, times, progress) {
    const site = await ServerUnderLoad.start(owner, { workers: 2, mix: WHOLE_MIX })
    const { load, server } = site
    let located = 0
    let kept = 0
    let good = 0
    for (let done = 1; done <= times; done++) {
      const generations = site.generations()
      const line = site.configure('NoSuchThing on')
      const place = `AH00526: Syntax error on line ${line} of ${server.path('conf/httpd.conf')}:`
      const before = refused(site)
      server.signal('SIGUSR1')
      await until('the reload is refused', () => refused(site) > before)
      if (server.errors().filter((text) => text === place).length === done) located++
      await load.answers(200)
      if (site.generations() === generations) kept++
      site.configure()
      if (done % 4 === 0) {
        await site.reload('SIGUSR1')
        good++
      }
      progress(done, load.report())
    }
    const report = await load.stop()
    const generations = site.generations()
    const ended = await server.stop()
    return {
      load: report,
      figures: { 'good reloads between': good, generations },
      checks: [
        nothingFailed(report),
        check('the log has file and line each time', located === times),
        check('the generation that serves goes on', kept === times),
        check('good reloads between them work', generations === good + 1),
        check('the server ends with status 0', ended?.status === 0),
      ],
    }
  },
}

function refused(site: ServerUnderLoad): number {
  return site.linesOf('error_log').filter((line) => line.includes('the new configuration cannot be used')).length
}
