import { readdirSync, readFileSync } from 'node:fs'

/** The folder in which Linux lists the machine's network interfaces. */
const INTERFACES = '/sys/class/net'

/**
 * The displayed zone of a link-local IPv6 address (RFC 4007 section 11): the name of the interface with this
 * name or number, '' for a number without an interface.
 *
 * @returns undefined for a name without an interface
 */
export function zoneName(zone: string): string | undefined {
  const names = interfaceNames()
  if (names.includes(zone)) return zone
  if (!/^[0-9]+$/.test(zone) || Number(zone) > 0xffffffff) return undefined
  return names.find((name) => interfaceNumber(name) === Number(zone)) ?? ''
}

function interfaceNames(): readonly string[] {
  try {
    return readdirSync(INTERFACES)
  } catch {
    return []
  }
}

function interfaceNumber(name: string): number {
  try {
    return Number(readFileSync(`${INTERFACES}/${name}/ifindex`, 'latin1'))
  } catch {
    return -1
  }
}
