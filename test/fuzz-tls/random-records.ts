import type { Random } from '../fixtures/random.ts'

const HANDSHAKE = 22
const TYPES = [20, 21, HANDSHAKE, 23, 24, 0, 255] as const
const VERSIONS = [0x0301, 0x0303, 0x0304, 0x0300, 0x0200, 0xffff] as const
const LENGTHS = [0, 1, 2, 5, 40, 300, 16_384, 16_385, 20_000] as const

/** A record; now and then its length is wrong. */
export function record(type: number, contents: Uint8Array, version = 0x0303, length: number = contents.length): Buffer {
  return Buffer.concat([Buffer.from([type, version >> 8, version & 0xff, length >> 8, length & 0xff]), contents])
}

/** Bytes without a pattern. */
export function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)))
}

/** An alert with any level and description. */
export function anyAlert(random: Random): Buffer {
  return record(21, Buffer.from([random.pick([0, 1, 2, 255]), random.below(256)]))
}

/** A record of any kind. */
export function anyRecord(random: Random): Buffer {
  if (random.percent(20)) return anyAlert(random)
  const contents = randomBytes(random, random.pick(LENGTHS))
  const length = random.percent(85) ? contents.length : random.below(65_536)
  return record(random.pick(TYPES), contents, random.pick(VERSIONS), length & 0xffff)
}

/** What can be sent again and again. */
export function endlessRecord(random: Random): Buffer {
  const make = random.pick([
    // The first is that of a ClientHello that never ends.
    () => record(HANDSHAKE, Buffer.concat([Buffer.from([1, 0, 0x3f, 0xff]), randomBytes(random, 60)])),
    () => record(HANDSHAKE, Buffer.alloc(0)),
    () => record(HANDSHAKE, Buffer.from([1])),
    () => record(21, Buffer.from([1, 90])),
    () => record(23, Buffer.alloc(0)),
    () => anyRecord(random),
    () => randomBytes(random, 400),
  ])
  return make()
}
