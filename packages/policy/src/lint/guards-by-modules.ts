import type { GuardReading } from '../migrate/access-lines.ts'
import type { ConfigFiles } from '../migrate/config-files.ts'
import type { PolicyServer } from '../policy-server.ts'

/** How the guards of a file that was not read would be decided: `<IfModule>` by the modules that are loaded, `<IfVersion>` as 2.4; others do not hold. */
export function guardsByModules({ snapshot }: PolicyServer, files: ConfigFiles, path: string): GuardReading {
  const loaded = new Set(snapshot.generation.registry.modules.map(({ module }) => module.source.replace(/^mod_|\.c$/g, '')))
  return (line) => {
    const guard = files.sectionAt(path, line)
    const [word = '', version = ''] = guard?.words ?? []
    switch (guard?.name.toLowerCase()) {
      case 'ifmodule': {
        const module = word.replace(/^!/, '').replace(/^mod_|\.c$|_module$/g, '')
        return loaded.has(module) === !word.startsWith('!') ? 'read' : 'skipped'
      }
      case 'ifversion':
        return /^(?:>=?|=|==)?$/.test(word.replace(/[\d.]+$/, '')) && /^2\.[0-4]/.test(version || word) ? 'read' : 'skipped'
      default:
        return 'skipped'
    }
  }
}
