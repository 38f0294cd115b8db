import { contexts, type DirectiveTable, directive, type ServerDirective } from '@gatewright/api'
import type { VhostAliasConfig, VirtualFolder } from './config.ts'
import { compileNamePattern } from './name-pattern.ts'

export const directives: DirectiveTable<undefined, VhostAliasConfig> = {
  VirtualScriptAlias: folder('scripts', 'name', 'folder of scripts, derived from the requested host name'),
  VirtualDocumentRoot: folder('documents', 'name', 'folder of files, derived from the requested host name'),
  VirtualScriptAliasIP: folder('scripts', 'address', 'folder of scripts, derived from the server address'),
  VirtualDocumentRootIP: folder('documents', 'address', 'folder of files, derived from the server address'),
}

function folder(
  what: 'documents' | 'scripts',
  by: VirtualFolder['by'],
  help: string,
): ServerDirective<VhostAliasConfig, 'take1'> {
  return directive.take1<VhostAliasConfig>({
    scope: 'server',
    context: contexts.inServers,
    help,
    set: (config, text) => {
      if (!text.startsWith('/')) {
        if (text.toLowerCase() !== 'none') return "format string must be an absolute path, or 'none'"
        config[what] = null
        return undefined
      }
      const pattern = compileNamePattern(text)
      if (pattern === null) return 'syntax error in format string'
      config[what] = { pattern, by }
      return undefined
    },
  })
}
