import { type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { DerReader, pemText, readPem, tags } from '@gatewright/x509'
import type { Random } from '../fixtures/random.ts'
import { signed } from './made-certificate.ts'
import type { Authority } from './random-authorities.ts'
import type { Client } from './random-clients.ts'

/** Tries to damage a chain in a way that lets the client still send it. */
const TRIES = 40

/**
 * A client with one or two of its certificates damaged: octets changed, left out, doubled or exchanged for those of another
 * certificate. Half of the damaged certificates are signed again by their issuer, so that what they state counts. A client
 * cannot send what its own library does not read: such damage is tried again elsewhere.
 */
export function damaged(random: Random, client: Client, authorities: ReadonlyMap<string, Authority>): Client {
  const { certificates, signer } = client
  if (certificates === null || signer === null) return client
  const signers = new Map([...authorities.values()].map(({ pem, above, key }) => [pem, above?.key ?? key]))
  const chain = readPem(certificates).map((block) => pemText('CERTIFICATE', block.der ?? Buffer.alloc(0)))
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const made = [...chain]
    const words: string[] = []
    for (let count = random.percent(80) ? 1 : 2; count > 0; count--) {
      const index = random.percent(50) ? 0 : random.below(chain.length)
      const by = random.percent(50) ? (index === 0 ? signer : signers.get(chain[index])) : undefined
      const [about, pem] = damagedOne(random, chain[index], by, random.pick(chain))
      made[index] = pem
      words.push(`${about} in certificate ${index}${by === undefined ? '' : ', signed again'}`)
    }
    const text = made.join('')
    if (text !== chain.join('') && canSend(made, client.key))
      return { ...client, certificates: text, about: `${client.about}; damaged: ${words.join('; ')}` }
  }
  return client
}

function damagedOne(random: Random, pem: string, signer: KeyObject | undefined, other: string): readonly [string, string] {
  const der = derOf(pem)
  const [about, bytes] =
    signer === undefined ? changed(random, der, derOf(other)) : changed(random, toBeSigned(der), toBeSigned(derOf(other)))
  return [about, pemText('CERTIFICATE', signer === undefined ? bytes : signed(bytes, signer))]
}

function derOf(pem: string): Buffer {
  return new X509Certificate(pem).raw
}

/** The signed part of a certificate with its identifier and length. */
function toBeSigned(der: Buffer): Buffer {
  const reader = new DerReader(der).enter(tags.SEQUENCE)
  const { at, end } = reader.next()
  return der.subarray(at, end)
}

function changed(random: Random, der: Buffer, other: Buffer): readonly [string, Buffer] {
  const made = Buffer.from(der)
  const at = random.below(Math.min(der.length, other.length))
  switch (random.below(5)) {
    case 0:
      made[at] ^= 1 << random.below(8)
      return [`a bit at ${at}`, made]
    case 1:
      made[at] = random.below(256)
      return [`an octet at ${at}`, made]
    case 2: {
      const length = Math.min(1 + random.below(6), der.length - at)
      made.fill(random.pick([0, 0xff, 0x30, 0x80]), at, at + length)
      return [`${length} octets at ${at}`, made]
    }
    case 3: {
      const length = Math.min(1 + random.below(40), der.length - at, other.length - at)
      other.copy(made, at, at, at + length)
      return [`${length} octets of another certificate at ${at}`, made]
    }
    default: {
      const values = valuesOf(der)
      const [one, another] = [random.pick(values), random.pick(values)]
      const length = Math.min(one.end - one.start, another.end - another.start)
      der.copy(made, one.start, another.start, another.start + length)
      return [`contents of ${another.start} at ${one.start}`, made]
    }
  }
}

interface Contents {
  readonly start: number
  readonly end: number
}

/** Where the contents of the values of a structure are, of all levels. */
function valuesOf(der: Buffer): readonly Contents[] {
  const found: Contents[] = []
  const walk = (reader: DerReader): void => {
    while (reader.more) {
      const value = reader.next()
      found.push(value)
      if ((value.tag & 0x20) !== 0) walk(reader.inside(value))
    }
  }
  try {
    walk(new DerReader(der))
  } catch {
    // What was damaged before is read as far as it can be.
  }
  return found.length > 0 ? found : [{ start: 0, end: der.length }]
}

function canSend(chain: readonly string[], key: string): boolean {
  try {
    for (const pem of chain) new X509Certificate(pem)
    createSecureContext({ cert: chain.join(''), key })
    return true
  } catch {
    return false
  }
}
