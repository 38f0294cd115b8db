import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Configured } from '../fixtures/configured.ts'
import { gone } from '../fixtures/processes.ts'
import { WHOLE_MIX } from '../load/habits.ts'
import { comparedWithLog } from '../load/log-check.ts'
import { SuccessionUnderLoad } from '../load/succession-under-load.ts'
import { check, type Experiment, nothingFailed } from './experiment.ts'

/** Programs and modules of another version have this line at their ends. */
const OTHER_VERSION = '\n// another version\n'

/**
 * Installs another version over the running one, which then takes over: supervisor and workers are of the new
 * version.
 */
export const upgrades: Experiment = {
  name: 'upgrades in place',
  async run(owner, times, progress) {
    const installed = Configured.make(owner)
    await installed.configure('--enable-mods-static=unixd log_config', '--enable-mods-shared=most')
    await installed.install()
    const program = installed.path('prefix/bin/httpd')
    const modules = installed.path('prefix/modules')
    const succession = await SuccessionUnderLoad.start(owner, {
      program,
      workers: 2,
      mix: WHOLE_MIX,
      lines: ['headers', 'rewrite'].map((name) => `LoadModule ${name}_module ${join(modules, `mod_${name}.mjs`)}`),
    })
    const { site } = succession
    const { load, server } = site
    const supervisors = new Set([server.pid])
    let replaced = 0
    let complete = 0
    let served = 0
    for (let done = 1; done <= times; done++) {
      const files = [installed.path('prefix/lib'), modules].flatMap(programsIn)
      for (const file of files) makeOther(file)
      await load.answers(100)
      const { status } = await installed.install()
      replaced += files.length
      if (status === 0 && files.every((file) => !readFileSync(file, 'utf8').endsWith(OTHER_VERSION))) complete++
      if ((await succession.upgrade()).status === 0 && !supervisors.has(succession.pid())) served++
      supervisors.add(succession.pid())
      await load.answers(200)
      progress(done, load.report())
    }
    const report = await load.stop()
    const ended = await server.run('-k', 'stop')
    await gone([...supervisors])
    const { lost, duplicated } = comparedWithLog(site)
    return {
      load: report,
      figures: { 'files replaced': replaced, 'lines lost': lost.length, 'lines twice': duplicated.length },
      checks: [
        nothingFailed(report),
        check('each installation replaces all that differs', complete === times && replaced > 0),
        check('each supervisor is succeeded by one of the new version', served === times),
        check('each answer is in the access log once', lost.length + duplicated.length === 0),
        check('the last supervisor can be stopped', ended.status === 0),
      ],
    }
  },
}

function programsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => join(folder, name))
}

/** Like an installation: the file gets its name when it is complete. */
function makeOther(file: string): void {
  writeFileSync(`${file}.new`, readFileSync(file, 'utf8') + OTHER_VERSION)
  renameSync(`${file}.new`, file)
}
