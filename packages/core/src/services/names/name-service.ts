import { type MaybePromise, whenSettled } from '@gatewright/api'
import { type Address, parseAddress } from '@gatewright/ipset'
import { readAnyAddress } from '../../base/address-text.ts'
import type { TurnClock } from '../watch-file.ts'
import { addressKey, sameAddress } from './address-key.ts'
import { type Answer, Answers, UNANSWERED } from './answers.ts'
import { hostName } from './host-name.ts'
import { HostsFile } from './hosts-file.ts'
import { NameServers } from './name-servers.ts'
import type { NameSettings } from './name-settings.ts'
import { systemAddress } from './system-resolver.ts'

const PATIENCE = 5000
const ENTRIES = 8192
const UNDER_WAY = 256
/** Limit of queries through the C library: each holds a thread, and file access needs threads, too. */
const SYSTEM_UNDER_WAY = 2
/** Milliseconds between two warnings. */
const COMPLAINT_PAUSE = 60_000

/**
 * Names of addresses and addresses of names: first from the hosts file, like the C library, then from name
 * servers. Every failure counts as no result.
 */
export class NameService {
  readonly #hosts: HostsFile
  readonly #servers: NameServers
  readonly #answers: Answers
  readonly #resolved: Answers
  readonly #ask: (name: string) => Promise<Answer>
  #complainedAt = Number.NEGATIVE_INFINITY

  /** @param complain receives a message for the log if queries are not sent, at most once a minute */
  constructor(settings: NameSettings, clock: TurnClock, complain: (text: string) => void) {
    const { servers, hosts, hostsFile = '/etc/hosts', patience = PATIENCE } = settings
    this.#hosts = new HostsFile(hosts === undefined ? { path: hostsFile } : { text: hosts }, clock)
    this.#servers = new NameServers(servers, patience)
    const now = (): number => performance.now()
    const onRefused = (): void => {
      if (now() - this.#complainedAt < COMPLAINT_PAUSE) return
      this.#complainedAt = now()
      complain(`${UNDER_WAY} name lookups are pending: the server treats further clients as having no name until one completes`)
    }
    this.#answers = new Answers({ entries: ENTRIES, underWay: UNDER_WAY, patience, onRefused, now })
    this.#resolved = new Answers({ entries: ENTRIES, underWay: SYSTEM_UNDER_WAY, patience, onRefused: ignore, now })
    this.#ask = servers === undefined ? systemAddress : (name) => this.#askServers(name)
  }

  /**
   * The reported name of the address, which is not verified: lower case, or null. A promise only if a name
   * server must be asked.
   */
  nameOf(addressText: string): MaybePromise<string | null> {
    const address = parseAddress(addressText)
    if (address === undefined) return null
    const name = this.#hosts.nameOf(address)
    if (name !== undefined) return name
    const names = this.#answers.of(`PTR ${addressKey(address)}`, () => this.#servers.nameOf(address))
    return whenSettled(names, first)
  }

  /**
   * Whether the name resolves to the address, which verifies the name. A promise only if a name server must
   * be asked.
   */
  leadsTo(name: string, addressText: string): MaybePromise<boolean> {
    const address = parseAddress(addressText)
    if (address === undefined) return false
    const known = this.#hosts.addressesOf(name)
    if (known.length > 0) return includes(known, address)
    const addresses = this.#askFor(name, address.family)
    return whenSettled(addresses, (found) => this.#isAmong(found, name, address))
  }

  /**
   * An IPv6 record may also contain an IPv4 address, as an IPv4-mapped one; an IPv4 record never contains an
   * IPv6 address.
   */
  #isAmong(addresses: readonly string[], name: string, address: Address): MaybePromise<boolean> {
    if (includes(addresses, address)) return true
    if (address.family === 6) return false
    const mapped = this.#askFor(name, 6)
    return whenSettled(mapped, (found) => includes(found, address))
  }

  /** As {@link HostServices.resolveAddress}. */
  resolve(text: string): MaybePromise<string | null> {
    const address = readAnyAddress(text)
    if (address !== undefined) return address
    const known = this.#hosts.addressesOf(text.toLowerCase())
    if (known.length > 0) return readAnyAddress(known.find((one) => !one.includes(':')) ?? known[0]) ?? null
    const name = hostName(text.replace(/\.$/, ''))
    if (name === undefined) return null
    const answer = this.#resolved.of(text.toLowerCase(), () => this.#ask(text))
    return whenSettled(answer, firstAddress)
  }

  /** IPv4 first. */
  async #askServers(name: string): Promise<Answer> {
    const four = await this.#servers.addressesOf(name, 4)
    return four.values.length > 0 ? four : this.#servers.addressesOf(name, 6)
  }

  /** All addresses of a name, IPv4 first; none when it does not resolve. */
  async addressesOf(text: string): Promise<readonly string[]> {
    const known = this.#hosts.addressesOf(text.toLowerCase())
    if (known.length > 0) return known
    const name = hostName(text.replace(/\.$/, ''))
    if (name === undefined) return []
    const both = await Promise.all([this.#askFor(name, 4), this.#askFor(name, 6)])
    return both.flat()
  }

  /** Cancels all pending queries. */
  close(): void {
    this.#servers.close()
  }

  #askFor(name: string, family: 4 | 6): MaybePromise<readonly string[]> {
    return this.#answers.of(`${family} ${name}`, () => this.#servers.addressesOf(name, family))
  }
}

/** @throws Error named NameUnanswered */
function firstAddress(addresses: readonly string[]): string | null {
  if (addresses !== UNANSWERED) return addresses.length > 0 ? (readAnyAddress(addresses[0]) ?? null) : null
  const error = new Error('the name lookup timed out')
  error.name = 'NameUnanswered'
  throw error
}

function ignore(): void {}

function first(names: readonly string[]): string | null {
  return names.length > 0 ? names[0] : null
}

/** Compared as addresses: one address has many spellings. */
function includes(texts: readonly string[], address: Address): boolean {
  return texts.some((text) => {
    const one = parseAddress(text)
    return one !== undefined && sameAddress(one, address)
  })
}
