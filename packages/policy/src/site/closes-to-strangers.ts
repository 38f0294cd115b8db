import type { DirectiveItem, DocumentItem, SectionItem } from '@gatewright/config'
import { type AccessText, accessText, isAboutGet } from './access-text.ts'

/**
 * Whether lines deny a GET request of a stranger without credentials. Conditions that a request could satisfy
 * are ignored.
 * @param holds which guards among the lines are true; if absent, all
 */
export function closesToStrangers(items: readonly DocumentItem[], holds: (guard: SectionItem) => boolean = () => true): boolean {
  const lines = accessText(items, holds).filter(isAboutGet)
  const required = lines.filter(({ item }) => item.kind === 'section' || item.name.toLowerCase() === 'require')
  return refusesHosts(lines) || (required.length > 0 && required.every(({ item }) => closes(item)))
}

function refusesHosts(lines: readonly AccessText[]): boolean {
  const said = (directive: string): (readonly string[])[] =>
    lines.flatMap(({ item }) =>
      item.kind === 'directive' && item.name.toLowerCase() === directive ? [item.words.map((word) => word.toLowerCase())] : [],
    )
  if (said('satisfy').some(([word]) => word === 'any')) return false
  const isAllowed = said('allow').some((words) => words.includes('all'))
  const isDenied = said('deny').some((words) => words.includes('all'))
  const order = said('order').at(-1)?.[0] ?? 'deny,allow'
  return order === 'deny,allow' ? isDenied && !isAllowed : isDenied || !isAllowed
}

function closes(item: DirectiveItem | SectionItem): boolean {
  if (item.kind === 'directive') return CLOSED_TO_STRANGERS.test(item.text.trim())
  const inner = item.items.filter((one) => one.kind === 'directive' || one.kind === 'section')
  switch (item.name.toLowerCase()) {
    case 'requireall':
      return inner.some(closes)
    case 'requireany':
      return inner.length > 0 && inner.every(closes)
    default:
      return false
  }
}

/** Networks may cover the whole Internet, but no configuration does this. */
const CLOSED_TO_STRANGERS =
  /^(?:all\s+denied|(?:ip|host|forward-dns|local|user|valid-user|group|dbm-group|file-owner|file-group|ldap-\S+)\b)/i
