import { type AnyModule, defineModule, type Module } from '@gatewright/api'
import { createCoreDirectory, type MutableCoreDirectory } from '../model/directory-config.ts'
import { type CoreServerConfig, createCoreServer } from '../model/server-config.ts'
import { conditionDirectives } from './directives/conditions.ts'
import { identityDirectives } from './directives/identity.ts'
import { includeDirectives } from './directives/includes.ts'
import { limitDirectives } from './directives/limit.ts'
import { loggingDirectives } from './directives/logging.ts'
import { mutexDirectives } from './directives/mutex.ts'
import { overrideDirectives } from './directives/override.ts'
import { perDirectoryDirectives } from './directives/per-directory.ts'
import { processDirectives } from './directives/process.ts'
import { keepAliveDirectives, protocolDirectives } from './directives/protocol.ts'
import { rootDirectives } from './directives/roots.ts'
import { sectionDirectives } from './directives/sections.ts'
import { sharedCacheDirectives } from './directives/shared-cache.ts'
import { soModule } from './so.ts'

/** Core's own directives, in the form of a module. host/core-hooks.ts registers its hooks. */
const coreModule: Module<MutableCoreDirectory, CoreServerConfig> = defineModule({
  name: 'core_module',
  source: 'core.c',
  perDirectory: { create: createCoreDirectory },
  perServer: { create: createCoreServer },
  // The order is that of -L, which scripts read.
  directives: {
    ...sectionDirectives,
    ...limitDirectives,
    ...conditionDirectives,
    ...identityDirectives,
    ...perDirectoryDirectives,
    ...overrideDirectives,
    ...rootDirectives,
    ...loggingDirectives,
    ...includeDirectives,
    ...protocolDirectives,
  },
})

/** http_core.c of httpd: persistence of connections. The protocol itself is packages/http. */
const httpModule: Module<undefined, undefined> = defineModule({
  name: 'http_module',
  source: 'http_core.c',
})

/** The processes, with the name of httpd's event MPM. */
const eventModule: Module<undefined, undefined> = defineModule({
  name: 'mpm_event_module',
  source: 'event.c',
})

/**
 * The modules that are part of core, in order of registration. Directives of http_core.c and event.c set
 * core's configuration objects, so their rows are in core's table.
 */
export function coreModules(): readonly AnyModule[] {
  const core: AnyModule = {
    ...coreModule,
    directives: {
      ...coreModule.directives,
      ...keepAliveDirectives,
      ...mutexDirectives,
      ...sharedCacheDirectives,
      ...processDirectives,
    },
  }
  return [core, soModule, httpModule, eventModule]
}
