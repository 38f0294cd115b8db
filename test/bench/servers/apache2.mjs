import { join } from 'node:path'
import { foreground, httpdConfiguration } from './httpd-configuration.mjs'
import { isInstalled, versionOf } from './programs.mjs'

const MODULES = '/usr/lib/apache2/modules'
const modulePath = (name) => join(MODULES, `${name}.so`)

/** One process, which keeps the threads of its start. */
const PROCESS = [
  `LoadModule mpm_event_module ${modulePath('mod_mpm_event')}`,
  'ServerLimit 1',
  'ThreadsPerChild 64',
  'MaxRequestWorkers 64',
  'MinSpareThreads 1',
  'MaxSpareThreads 64',
]

export const apache2 = {
  name: 'apache2',
  isInstalled: () => isInstalled('apache2'),
  version: () => versionOf('apache2'),
  command: ({ root }) => foreground('apache2', root),
  configuration: (scenario, place) =>
    scenario.isOurs === true ? undefined : httpdConfiguration(scenario, place, { path: modulePath, process: PROCESS }),
}
