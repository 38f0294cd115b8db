import type { Socket } from 'node:net'
import type { Sending } from '../load/client-proxy.ts'

/** What happens to one record of a client. */
export interface Damage {
  /** Its number, from 0. */
  readonly record: number
  readonly how: 'none' | 'cut' | 'flip' | 'double' | 'drop' | 'insert'
  /** Where in the record, as a part of its length: 0 to below 1. */
  readonly place: number
  /** Inserted in front of it. */
  readonly inserted: Buffer
}

const HEADER = 5

/**
 * Sends all records but one as they are.
 * @param cut called when the rest of a record, and everything after it, is not sent
 */
export function withDamage(server: Socket, damage: Damage, cut: () => void): Sending {
  let pending: Buffer = Buffer.alloc(0)
  let number = 0
  let isOver = false
  return (bytes, done) => {
    pending = Buffer.concat([pending, bytes])
    while (!isOver && pending.length >= HEADER) {
      const length = HEADER + pending.readUInt16BE(3)
      if (pending.length < length) break
      const record = pending.subarray(0, length)
      pending = pending.subarray(length)
      if (number++ !== damage.record) server.write(record)
      else {
        for (const piece of damaged(record, damage)) server.write(piece)
        isOver = damage.how === 'cut'
        if (isOver) cut()
      }
    }
    done()
  }
}

function damaged(record: Buffer, { how, place, inserted }: Damage): readonly Buffer[] {
  const at = Math.floor(place * record.length)
  switch (how) {
    case 'cut':
      return [record.subarray(0, at)]
    case 'flip': {
      const copy = Buffer.from(record)
      copy[at] ^= 1 << (at % 8)
      return [copy]
    }
    case 'double':
      return [record, record]
    case 'drop':
      return []
    case 'insert':
      return [inserted, record]
    default:
      return [record]
  }
}
