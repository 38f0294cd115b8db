import { STATUS_FORM } from '../configure/config-status.ts'
import { resolveFolders } from '../configure/layout.ts'
import { configVariablesText } from './config-variables.ts'

/**
 * The text of config_vars.mk for a server root built without configure: httpd's default layout below `root`,
 * with these modules loaded.
 */
export function plainVariables(root: string, modules: readonly string[]): string {
  return configVariablesText({
    form: STATUS_FORM,
    program: 'httpd',
    layout: 'Apache',
    folders: resolveFolders(new Map(), new Map([['prefix', root]])),
    shared: modules,
    static: [],
    loadAllModules: false,
    port: 80,
    sslPort: 443,
    variables: {},
  })
}
