import { HTTPD_VERSION, MODULE_MAGIC_NUMBER_MAJOR } from '@gatewright/api'
import type { ConfigStatus } from '../configure/config-status.ts'
import { FOLDERS } from '../configure/folders.ts'
import { isMovable } from '../configure/layout.ts'
import { belowPrefix } from './shown-path.ts'

/** The origin of the installation. */
export interface Origin {
  readonly source: string
  /** Folder of config.nice. */
  readonly buildFolder: string
}

/**
 * The text of config_vars.mk: the build settings of the server, under httpd's names. If the installation can
 * be moved as a whole, folders are relative to the parent of the file's folder.
 * @param origin absent if the installation cannot be repeated from its source
 */
export function configVariablesText(status: ConfigStatus, origin?: Origin): string {
  return Object.entries(configVariables(status, origin))
    .map(([name, value]) => `${name} = ${value}`.trimEnd())
    .join('\n')
    .concat('\n')
}

function configVariables(status: ConfigStatus, origin: Origin | undefined): Record<string, string> {
  const { folders, shared, program, variables } = status
  const named = isMovable(folders) ? (path: string) => belowPrefix(path, folders.prefix) : (path: string) => path
  const paths = FOLDERS.map((name) => [name, named(folders[name])] as const)
  return {
    progname: program,
    HTTPD_VERSION,
    HTTPD_MMN: String(MODULE_MAGIC_NUMBER_MAJOR),
    MPM_NAME: 'event',
    ...Object.fromEntries(paths),
    ...Object.fromEntries(paths.map(([name, path]) => [`exp_${name}`, path])),
    CC: 'node',
    CFLAGS: '',
    ...variables,
    ENABLED_DSO_MODULES: shared.map((name) => `,${name}`).join(''),
    DSO_MODULES: shared.join(' '),
    BUILTIN_MODULES: status.static.join(' '),
    LOAD_ALL_MODULES: status.loadAllModules ? 'yes' : 'no',
    ...(origin === undefined ? {} : { gatewright_source: origin.source, gatewright_build: origin.buildFolder }),
  }
}
