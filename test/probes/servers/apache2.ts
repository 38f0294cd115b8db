import { freePort } from '../../fixtures/free-port.ts'
import type { Contestant } from './contestant.ts'
import { foreground, isInstalled } from './foreground.ts'
import { configure } from './httpd-configuration.ts'

const path = (name: string): string => `/usr/lib/apache2/modules/mod_${name}.so`

/** Apache httpd, as Debian installs it. */
export const apache2: Contestant = {
  name: 'apache2',
  lacks: [],
  isInstalled: () => isInstalled('apache2'),
  start: async (site) => {
    const port = await freePort()
    const processes = [`LoadModule mpm_event_module ${path('mpm_event')}`]
    return foreground(configure('apache2', { name: 'apache2', module: path, processes }, site, port), port)
  },
}
