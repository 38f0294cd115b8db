import type { SectionInfo } from '@gatewright/api'
import type { SectionItem } from '@gatewright/config'
import type { PolicyServer } from '../policy-server.ts'

/** Whether guards in a section, or in a .htaccess file, were true when it was read. */
export function guardsOf({ configuration }: PolicyServer, section: SectionInfo): (guard: SectionItem) => boolean {
  const inServerFiles = configuration.skippedBodies.filter(({ file }) => file === section.file)
  const around = section.parent === null ? [] : configuration.skippedIn(section.parent)
  const skipped = new Set([...inServerFiles, ...configuration.skippedIn(section), ...around].map(({ line }) => line))
  return ({ line = 0 }) => !skipped.has(line)
}

/**
 * Evaluates the guards of a file that was not read: `<IfModule>` by the loaded modules, `<IfVersion>` as 2.4;
 * other guards count as false.
 */
export function guardsByModules({ configuration }: PolicyServer): (guard: SectionItem) => boolean {
  const loaded = new Set(configuration.modules.map(({ source }) => plain(source)))
  return ({ name, text, words: [word = ''] }) => {
    switch (name.toLowerCase()) {
      case 'ifmodule':
        return loaded.has(plain(word.replace(/^!/, ''))) !== word.startsWith('!')
      case 'ifversion':
        return /^["']?(?:>=|>|=|==)?\s*["']?2\.[0-4]\b/.test(text.trim())
      default:
        return false
    }
  }
}

/** `mod_rewrite.c` and `rewrite_module` are one, and so are `util_ldap.c` and `ldap_module`. */
function plain(module: string): string {
  return module.replace(/^(?:mod|util)_|\.c$|_module$/g, '')
}
