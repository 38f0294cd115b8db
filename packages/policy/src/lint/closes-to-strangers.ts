import type { DocumentItem } from '@gatewright/config'
import { type AccessLines, accessLines, type GuardReading } from '../migrate/access-lines.ts'
import { requireSet } from '../migrate/access-rules.ts'
import type { Requirement } from '../migrate/requirement.ts'

/**
 * True for lines that keep a stranger without credentials from a GET. Conditions that a request could meet do not count.
 * @param guards which guards among the lines hold; absent: all
 */
export function closesToStrangers(items: readonly DocumentItem[], guards: GuardReading = () => 'read'): boolean {
  const access = accessLines(items, guards)
  return refusesHosts(access) || (access.lines.some(({ kind }) => kind === 'require') && closes(requireSet(access, 'GET')))
}

function refusesHosts({ lines }: AccessLines): boolean {
  if (lines.some((line) => line.kind === 'satisfy' && line.satisfy === 'any')) return false
  const names = (kind: 'allow' | 'deny'): string[] =>
    lines.flatMap((line) => (line.kind === kind && isAboutGet(line) ? line.words.map((word) => word.toLowerCase()) : []))
  const allowed = names('allow').includes('all')
  const denied = names('deny').includes('all')
  const order = lines.findLast((line) => line.kind === 'order')
  if (order?.order === 'allow,deny') return denied || (!allowed && isAboutGet(order))
  return denied && !allowed
}

function isAboutGet({ methods }: AccessLines['lines'][number]): boolean {
  return methods.every(({ names, except }) => names.includes('GET') !== except)
}

function closes(requirement: Requirement): boolean {
  switch (requirement.kind) {
    case 'granted':
      return false
    case 'denied':
      return true
    case 'line':
      return !requirement.negated && CLOSED_TO_STRANGERS.test(requirement.text)
    case 'all':
      return requirement.children.some(closes)
    case 'any':
      return requirement.children.length > 0 && requirement.children.every(closes)
    case 'none':
      return false
  }
}

/** Networks may be the whole Internet; nobody writes that. */
const CLOSED_TO_STRANGERS = /^(?:ip|host|forward-dns|local|user|valid-user|group|dbm-group|file-owner|file-group|ldap-\S+)\b/i
