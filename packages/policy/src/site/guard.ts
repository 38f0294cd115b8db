import type { SectionItem } from '@gatewright/config'
import type { LinePlace } from './line-places.ts'
import { GUARDS } from './read-nodes.ts'

/** The innermost guard around a line, in its own section; null if there is none. */
export function guardOf({ parents }: LinePlace): SectionItem | null {
  for (const parent of parents.toReversed()) {
    const name = parent.name.toLowerCase()
    if (GUARDS.has(name)) return parent
    if (!/^(?:limit|limitexcept|require(?:all|any|none))$/.test(name)) return null
  }
  return null
}

/** `<IfModule mod_access_compat.c>`: a server without the module must read the new lines as well. */
export function isCompatGuard({ name, words }: SectionItem): boolean {
  return name.toLowerCase() === 'ifmodule' && /^(?:mod_access_compat\.c|access_compat_module)$/i.test(words[0] ?? '')
}

/** The other half of the same: only a server without mod_access_compat reads it. */
export function isCompatElse({ name, words }: SectionItem): boolean {
  return name.toLowerCase() === 'ifmodule' && /^!(?:mod_access_compat\.c|access_compat_module)$/i.test(words[0] ?? '')
}

/** A guard that is true in every 2.4 that has the rules in it. */
export function isGuardOf24(guard: SectionItem): boolean {
  return isCompatGuard(guard) || dialectOf(guard) === '2.4'
}

/**
 * Whether only servers from 2.4 on, or only older ones, read the content of a guard; null for any other
 * guard.
 */
export function dialectOf({ name, text, words }: SectionItem): '2.4' | 'older' | null {
  if (name.toLowerCase() === 'ifmodule') {
    if (/^(?:mod_authz_core\.c|authz_core_module)$/i.test(words[0] ?? '')) return '2.4'
    return /^!(?:mod_authz_core\.c|authz_core_module)$/i.test(words[0] ?? '') ? 'older' : null
  }
  if (name.toLowerCase() !== 'ifversion') return null
  const [, sign, version] = /^(!?\s*(?:[<>]=?|~)?)\s*(\S*)$/.exec(text.trim().replaceAll(/["']/g, '')) ?? []
  return VERSIONS[`${sign?.replaceAll(/\s/g, '')}${version}`.replace(/(2\.\d)\.0$/, '$1')] ?? null
}

/** Guards whose lines only servers before 2.4 read. */
export function isForOlder(guard: SectionItem): boolean {
  return dialectOf(guard) === 'older'
}

/** Comparisons with the same result in all versions from 2.4, and in the preceding 2.3. */
const VERSIONS: Readonly<Record<string, '2.4' | 'older'>> = {
  '>=2.4': '2.4',
  '>=2.3': '2.4',
  '>2.3': '2.4',
  '>2.2': '2.4',
  '!<2.4': '2.4',
  '!<2.3': '2.4',
  '<2.4': 'older',
  '<2.3': 'older',
  '<=2.3': 'older',
  '<=2.2': 'older',
  '!>=2.4': 'older',
  '!>=2.3': 'older',
}
