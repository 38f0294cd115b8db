import { join } from 'node:path'
import { freePort } from '../../fixtures/free-port.ts'
import type { Contestant } from './contestant.ts'
import { foreground, isExecutable } from './foreground.ts'
import { configure } from './httpd-configuration.ts'

const DIST = join(import.meta.dirname, '../../../dist')
const PROGRAM = join(DIST, 'bin/httpd')

/** Our server, staged in dist/. */
export const gatewright: Contestant = {
  name: 'gatewright',
  lacks: [],
  isInstalled: () => isExecutable(PROGRAM),
  start: async (site) => {
    const port = await freePort()
    const dialect = { name: 'gatewright', module: (name: string) => join(DIST, 'modules', `mod_${name}.mjs`), processes: [] }
    return foreground(configure(PROGRAM, dialect, site, port), port)
  },
}
