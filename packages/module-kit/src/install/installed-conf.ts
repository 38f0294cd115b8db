import type { ConfigStatus } from '../configure/config-status.ts'
import { loadLines } from '../configure/load-lines.ts'
import { belowPrefix } from './shown-path.ts'

/**
 * Replaces the placeholders of a configuration template: `@NAME@` for the port, the folders and the
 * LoadModule lines.
 * @throws Error for an unknown name
 */
export function installedConf(template: string, status: ConfigStatus): string {
  const { folders } = status
  const below = (path: string): string => belowPrefix(path, folders.prefix)
  const values = new Map<string, string>([
    ['prefix', folders.prefix || '/'],
    ['port', String(status.port)],
    ['sslport', String(status.sslPort)],
    ['sysconfdir', below(folders.sysconfdir)],
    ['logfiledir', below(folders.logfiledir)],
    ['runtimedir', below(folders.runtimedir)],
    ['htdocsdir', folders.htdocsdir],
    ['htdocs', htdocs(status)],
    ['modules', loadModules(status)],
  ])
  return template.replace(/@([a-z]+)@/g, (_, name: string) => {
    const value = values.get(name)
    if (value === undefined) throw new Error(`the template has a placeholder @${name}@ without a value`)
    return value
  })
}

/** The folder of pages, so that a single line names the prefix. */
function htdocs({ folders }: ConfigStatus): string {
  const below = belowPrefix(folders.htdocsdir, folders.prefix)
  return below.startsWith('/') ? below : `\${SRVROOT}/${below}`
}

function loadModules({ shared, static: compiledIn, loadAllModules, folders }: ConfigStatus): string {
  const lines = loadLines({
    shared,
    active: loadAllModules ? 'all' : 'class few',
    folder: belowPrefix(folders.libexecdir, folders.prefix),
  })
  const inside = compiledIn.length === 0 ? [] : [`# Compiled in, so without LoadModule lines: ${compiledIn.join(', ')}.`]
  return [...lines, ...inside].join('\n')
}
