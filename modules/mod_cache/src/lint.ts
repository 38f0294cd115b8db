import type { LintedConfiguration, LintedLine, LintFinding, LintRule, ModuleHost, SectionInfo, Server } from '@gatewright/api'
import type { CacheConfig, CacheServerConfig } from './config.ts'

/** Adds the module's rules for `gatewright lint`. */
export function addLintRules({ providers, serverConfigOf }: ModuleHost<CacheConfig, CacheServerConfig>): void {
  providers.lintRules.add('CACHE001', {
    about: 'responses that the cache serves before access control',
    severity: 'warning',
    find: (configuration) => servedBeforeAccess(configuration, (server) => serverConfigOf(server).quickHandler !== false),
  })
}

/** CACHE001: what is stored is sent to everybody, whatever Require says of its URL. */
export function servedBeforeAccess(
  configuration: LintedConfiguration,
  hasQuickHandler: (server: Server) => boolean,
): ReturnType<LintRule['find']> {
  const main = configuration.servers.find(({ isVirtual }) => !isVirtual)
  const found = new Map<string, LintFinding>()
  for (const section of configuration.sections) {
    const { server } = section
    const path = hasQuickHandler(server) ? pathOfSection(section) : null
    const guard = path === null ? undefined : guardOf(configuration, section)
    if (path === null || guard === undefined) continue
    const scopes = main === undefined || main === server ? [server] : [server, main]
    for (const line of scopes.flatMap((scope) => configuration.linesOf(scope, 'CacheEnable'))) {
      const prefix = configuration.words(line.text)[1] ?? ''
      if (!prefix.startsWith('/') || !(path.startsWith(prefix) || prefix.startsWith(path))) continue
      const key = `${line.file}:${line.line} ${guard.file}:${guard.line}`
      found.set(key, {
        file: line.file,
        line: line.line,
        message: `what is stored for ${path} is sent to everybody: the cache answers before ${guard.name} of ${section.title} (${guard.file}:${guard.line}) is applied`,
        hint: `set CacheQuickHandler Off, or add CacheDisable ${path}`,
      })
    }
  }
  return [...found.values()]
}

/** The path of URLs that a section is about; null if it is about something else. */
function pathOfSection({ kind, argument, parent, server }: SectionInfo): string | null {
  if (parent !== null && parent.kind !== 'server' && parent.kind !== 'VirtualHost') return null
  if (kind === 'Location') return argument
  const { documentRoot } = server
  const folder = kind === '.htaccess' || kind === 'Directory' ? argument : null
  if (folder === null || documentRoot === '' || !`${folder}/`.startsWith(`${documentRoot}/`)) return null
  return folder.slice(documentRoot.length).replace(/\/$/, '') || '/'
}

/** The first line of a section that may deny access. */
function guardOf(configuration: LintedConfiguration, section: SectionInfo): LintedLine | undefined {
  const required = configuration
    .linesOf(section, 'Require')
    .find(({ text }) => configuration.words(text).join(' ').toLowerCase() !== 'all granted')
  return required ?? configuration.linesOf(section, 'Deny')[0]
}
