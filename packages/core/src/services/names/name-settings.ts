import { isIP } from 'node:net'

/** What name lookups ask and how long they wait; each as the system has it, or as its own comment says, when absent. */
export interface NameSettings {
  /** Name servers: `ADDRESS` or `ADDRESS:PORT`, IPv6 in brackets. */
  readonly servers?: readonly string[]
  /** Path of the hosts file. */
  readonly hostsFile?: string
  /** Milliseconds that one question may take; 5000 when absent. A client's name takes two. */
  readonly patience?: number
}

/** Name servers of this machine, for trying things out and for tests of server processes. */
export const NAME_SERVERS_VARIABLE = 'GATEWRIGHT_NAME_SERVERS'

/**
 * The settings that the environment of the process has. Name servers decide who is let in by name, so only those of the loopback network are taken: with them,
 * nobody can make a server believe another machine by a variable alone.
 *
 * @returns an error text with a hint when the variable is malformed
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
