import type { SectionItem } from '@gatewright/config'

/** The names that a `<Files>` or `<FilesMatch>` matches; none for an unsupported pattern. */
export function matchingNames({ name, words }: SectionItem, names: readonly string[]): string[] {
  const [first = '', second = ''] = words
  const isPattern = name.toLowerCase() === 'filesmatch' || first === '~'
  const matcher = isPattern ? patternOf(first === '~' ? second : first) : wildcard(first)
  return matcher === null ? [] : names.filter((one) => matcher.test(one))
}

function patternOf(text: string): RegExp | null {
  const flags = /^\(\?[a-z]*i[a-z]*\)/.test(text) ? 'i' : ''
  try {
    return new RegExp(text.replace(/^\(\?[a-z]+\)/, ''), flags)
  } catch {
    return null
  }
}

function wildcard(text: string): RegExp {
  const source = text
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  try {
    return new RegExp(`^${source}$`)
  } catch {
    return /$^/
  }
}
