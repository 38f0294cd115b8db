import { existsSync } from 'node:fs'
import t from 'tap'
import { ServerUnderLoad } from './load/server-under-load.ts'

const skip = existsSync('/dev/full') ? false : 'needs /dev/full'

t.test(
  'a log on a full disk costs no answer and is told when it begins and at the end, with the lines lost',
  { skip },
  async (t) => {
    const site = await ServerUnderLoad.start(t, {
      workers: 1,
      mix: { closing: 2, busy: 2, pipelining: 1 },
      lines: ['CustomLog /dev/full "%r"'],
    })
    await site.load.answers(1_000)
    const report = await site.load.stop()
    t.strictSame(report.failures, {})
    t.match(await site.server.stop(), { status: 0 })
    const told = site.server.errors().filter((line) => line.includes('/dev/full'))
    t.strictSame(told, [
      '[core:warn] (28)No space left on device: AH00646: Error writing to /dev/full',
      `[core:warn] ${report.requests} log lines could not be written to /dev/full`,
    ])
    t.equal(site.loggedIds().length, report.requests, 'the other log has every line')
  },
)
