import { readFileSync } from 'node:fs'
import type { WatchedFile } from '@gatewright/api'
import { type Address, parseAddress } from '@gatewright/ipset'
import { type TurnClock, watchFile } from '../watch-file.ts'
import { addressKey } from './address-key.ts'

interface Hosts {
  /** The first name of the first line of each address, in lower case. */
  readonly names: ReadonlyMap<string, string>
  /** Addresses of all lines that have the name. */
  readonly addresses: ReadonlyMap<string, readonly string[]>
}

const NO_HOSTS: Hosts = { names: new Map(), addresses: new Map() }
const NONE: readonly string[] = []

/**
 * The hosts file by address and by name. An edit takes effect from the next turn of the event loop; an
 * unreadable file has no lines.
 */
export class HostsFile {
  readonly #file: Pick<WatchedFile<Hosts>, 'current'>

  /** @param file its path, or its text if it exists only in memory */
  constructor(file: { readonly path: string } | { readonly text: string }, clock: TurnClock) {
    if ('text' in file) {
      const hosts = parseHosts(file.text)
      this.#file = { current: () => hosts }
    } else this.#file = watchFile(clock, [file.path], () => parseHosts(readFileSync(file.path, 'latin1')))
  }

  nameOf(address: Address): string | undefined {
    return this.#hosts().names.get(addressKey(address))
  }

  /** @param name in lower case */
  addressesOf(name: string): readonly string[] {
    return this.#hosts().addresses.get(name) ?? NONE
  }

  #hosts(): Hosts {
    try {
      return this.#file.current()
    } catch {
      return NO_HOSTS
    }
  }
}

/** `ADDRESS NAME...` in each line, `#` begins a comment; lines without an address are skipped. */
export function parseHosts(text: string): Hosts {
  const names = new Map<string, string>()
  const addresses = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [addressText, ...words] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    const address = parseAddress(addressText)
    if (address === undefined || words.length === 0) continue
    const key = addressKey(address)
    if (!names.has(key)) names.set(key, words[0])
    for (const word of words) {
      const known = addresses.get(word)
      if (known === undefined) addresses.set(word, [addressText])
      else known.push(addressText)
    }
  }
  return { names, addresses }
}
