import { isIP } from 'node:net'

/**
 * The servers that name lookups ask, and their timeouts; if absent, the system's settings, or the default in
 * the setting's comment.
 */
export interface NameSettings {
  /** Name servers: `ADDRESS` or `ADDRESS:PORT`, IPv6 in brackets. */
  readonly servers?: readonly string[]
  /** Path of the hosts file. */
  readonly hostsFile?: string
  /** Lines of a hosts file that exists only in memory, instead of `hostsFile`. */
  readonly hosts?: string
  /** Timeout of one query in milliseconds; 5000 if absent. A client's name takes two queries. */
  readonly patience?: number
}

/** Name servers on this machine, for experiments and for tests of server processes. */
export const NAME_SERVERS_VARIABLE = 'GATEWRIGHT_NAME_SERVERS'

/**
 * The settings in the environment of the process. Name servers influence access by host name, so only those
 * on the loopback network are accepted: a variable alone then cannot make a server trust another machine.
 *
 * @returns an error text with a hint if the variable is malformed
 */
export function nameSettingsOf(environment: Readonly<Record<string, string | undefined>>): NameSettings | string {
  const text = environment[NAME_SERVERS_VARIABLE]
  if (text === undefined || text === '') return {}
  const servers = text.split(',')
  const strange = servers.find((server) => !isLoopbackServer(server))
  if (strange === undefined) return { servers }
  return (
    `${NAME_SERVERS_VARIABLE}: '${strange}' is not a name server on the loopback network\n` +
    `hint: write ${NAME_SERVERS_VARIABLE}=127.0.0.1:5353, separate several with commas, or unset it to use the name servers of the system`
  )
}

function isLoopbackServer(text: string): boolean {
  const [, ipv6, ipv4, port = '53'] = /^(?:\[(::1)\]|(127\.[\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  if (ipv6 === undefined && isIP(ipv4 ?? '') !== 4) return false
  return Number(port) >= 1 && Number(port) <= 65535
}
