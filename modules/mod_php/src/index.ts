import { defineModule, type Module, type Request } from '@gatewright/api'
import { directives } from './directives.ts'
import { FpmPools } from './fpm-pools.ts'
import { findFpm } from './fpm-program.ts'
import { PhpHandler } from './handler.ts'
import { mergeSettings, NO_SETTINGS, type PhpConfig, type PhpServerConfig } from './settings.ts'

/** PHP scripts, which PHP-FPM processes of this module run. */
const php: Module<PhpConfig, PhpServerConfig> = defineModule<PhpConfig, PhpServerConfig>({
  name: 'php_module',
  source: 'mod_php.c',
  capabilities: ['child-process', 'fs', 'net'],
  perDirectory: {
    create: () => ({ settings: NO_SETTINGS }),
    merge: (base, over) => ({ settings: mergeSettings(base.settings, over.settings) }),
  },
  perServer: { create: () => ({}), merge: (base, over) => ({ iniFolder: over.iniFolder ?? base.iniFolder }) },
  directives,
  register({ hooks, services, log, configOf, serverConfigOf, onEnd }) {
    const started: { pools: FpmPools | null } = { pools: null }
    hooks.postConfig.add(({ servers, checkOnly }) => {
      if (checkOnly) return undefined
      const program = findFpm()
      if (program === null) {
        const text = 'php_module runs scripts with PHP-FPM, which was not found in PATH and /usr/sbin'
        log.write(null, 'emerg', '', `${text} (apt-get install php-fpm on Debian)`)
        return text
      }
      const iniFolder = serverConfigOf(servers[0])?.iniFolder ?? null
      const report = (line: string): void => log.write(null, 'warn', '', `PHP-FPM: ${line}`)
      started.pools = new FpmPools({ program, iniFolder, report })
      return undefined
    })
    onEnd(() => {
      started.pools?.close()
      started.pools = null
    })
    const settingsOf = (request: Request): PhpConfig['settings'] => configOf(request)?.settings ?? NO_SETTINGS
    const handler = new PhpHandler({ services, log, settingsOf, pools: () => started.pools })
    hooks.handler.add((request) => handler.handle(request))
  },
})
export default php
