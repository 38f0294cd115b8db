import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { foreground, httpdConfiguration } from './httpd-configuration.mjs'
import { versionOf } from './programs.mjs'

const DIST = join(import.meta.dirname, '../../../dist')
const PROGRAM = join(DIST, 'bin/httpd')

export const gatewright = {
  name: 'gatewright',
  isInstalled: () => existsSync(PROGRAM),
  version: () => versionOf(PROGRAM),
  command: ({ root }) => foreground(PROGRAM, root),
  configuration: (scenario, place) =>
    httpdConfiguration(scenario, place, { path: (name) => join(DIST, 'modules', `${name}.mjs`), process: ['ServerLimit 1'] }),
}
