import { isNetworkError, matchesNetwork, parseAddress, parseNetwork } from '@gatewright/ipset'
import { groupMembers } from '../prove/group-members.ts'
import { allRuleWords, joinWords, type RuleWords } from '../prove/words.ts'
import { ConfigFiles } from '../site/config-files.ts'
import { everyLine } from '../site/read-nodes.ts'
import { networkMember } from '../stages/network-member.ts'
import { STRANGER } from './expectation.ts'

/** A column of a matrix: a client that requests everything. */
export interface MatrixClient {
  readonly title: string
  readonly client: string
  readonly user: string | null
}

/** Networks and users beyond which the columns would not be read any more. */
const MOST_NETWORKS = 6
const MOST_USERS = 6

/**
 * The kinds of clients that rules distinguish: a stranger, this machine, one address of each network, each
 * user, and a known user that no rule names.
 */
export function matrixClients(texts: ReadonlyMap<string, string>): MatrixClient[] {
  const files = new ConfigFiles(texts)
  const words = joinWords(files.paths.map((path) => allRuleWords(everyLine(path, files.document(path)?.items ?? []))))
  const stranger = addressOutside(words)
  return [
    // Expectations without an address mean this client, also where a rule names its network.
    { title: stranger === STRANGER ? 'stranger' : STRANGER, client: STRANGER, user: null },
    ...(stranger === STRANGER ? [] : [{ title: 'stranger', client: stranger, user: null }]),
    { title: 'this machine', client: '127.0.0.1', user: null },
    ...networkClients(words),
    ...usersOf(words, files).map((user) => ({ title: user, client: STRANGER, user })),
  ]
}

/** Addresses of networks that no machine is in (RFC 5737). */
const STRANGERS = [STRANGER, '198.51.100.1', '203.0.113.1']

/** The first of them that is in no network which a rule names. */
function addressOutside({ networks }: RuleWords): string {
  const named = [...networks].flatMap((word) => {
    const network = parseNetwork(word)
    return isNetworkError(network) ? [] : [network]
  })
  const isOutside = (text: string): boolean => {
    const address = parseAddress(text)
    return address !== undefined && !named.some((network) => matchesNetwork(network, address))
  }
  return STRANGERS.find(isOutside) ?? STRANGER
}

function networkClients({ networks }: RuleWords): MatrixClient[] {
  const members = [...networks].flatMap((word) => {
    const network = parseNetwork(word)
    return isNetworkError(network) ? [] : [networkMember(network)]
  })
  const others = [...new Set(members)].filter((address) => !hasColumn(address))
  return others.slice(0, MOST_NETWORKS).map((address) => ({ title: address, client: address, user: null }))
}

/** This machine has a column, and so has the stranger, whose network may be named as well. */
function hasColumn(address: string): boolean {
  return address.startsWith('127.') || address === '::1' || address === STRANGER
}

function usersOf({ users, groups, asksForUser }: RuleWords, files: ConfigFiles): string[] {
  if (!asksForUser) return []
  const { members } = groupMembers(files, groups)
  const named = [...new Set([...users, ...members])].filter((name) => !/[:\s%${}]/.test(name))
  return [...named.slice(0, MOST_USERS), SOMEBODY]
}

/** A user that no rule names, with a correct password. */
const SOMEBODY = 'any-user'
