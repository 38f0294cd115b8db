import { readdirSync, readFileSync } from 'node:fs'

/** Where Linux lists the machine's network interfaces. */
const INTERFACES = '/sys/class/net'

/**
 * The zone of a link-local IPv6 address (RFC 4007 section 11) as it is shown: the name of the interface for its name or number, '' for a number that no interface has.
 *
 * @returns undefined for a name that no interface has
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
