import { Random } from '../fixtures/random.ts'
import { written } from './message.ts'
import { soundMessage } from './sound-message.ts'
import type { Kind, Stream, WrittenMessage } from './stream.ts'
import { twist } from './twists.ts'

const LONGEST = 8
const BYTES = '\r\n \t:;,0159afAFx\0\x0b\x0c\x7f\x80\xff/?#%="HGPT'

/** The stream with this number, which depends only on the two numbers. */
export function streamOf(seed: number, index: number): Stream {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
  // Nothing after a fault is compared, so faulty messages are rare.
  const faulty = random.pick([0, 10, 20, 60])
  const messages: WrittenMessage[] = []
  let text = ''
  for (let left = 1 + random.below(LONGEST); left > 0; left--) {
    const kind = random.percent(faulty) ? random.pick<Kind>(['odd', 'odd', 'mutated']) : 'sound'
    messages.push({ kind, start: text.length })
    text += messageOf(random, kind)
  }
  return { text, cuts: randomCuts(random, text.length), messages }
}

function messageOf(random: Random, kind: Kind): string {
  const message = soundMessage(random)
  if (kind === 'sound') return written(message)
  if (kind === 'odd' || random.percent(20)) twist(random, message)
  return kind === 'odd' ? written(message) : mutated(random, written(message))
}

/** A few bytes changed, dropped, added or repeated. */
function mutated(random: Random, original: string): string {
  let text = original
  for (let left = 1 + random.below(3); left > 0; left--) {
    const at = random.below(text.length + 1)
    const other = at + random.below(Math.min(12, text.length - at + 1))
    const byte = random.percent(80) ? BYTES[random.below(BYTES.length)] : String.fromCharCode(random.below(256))
    const middle = random.pick([
      byte,
      '',
      byte + text.slice(at, other),
      text.slice(at, other).repeat(2),
      text.slice(at, other).toUpperCase(),
      [...text.slice(at, other)].reverse().join(''),
    ])
    text = text.slice(0, at) + middle + text.slice(random.percent(70) ? at + (other > at ? 1 : 0) : other)
  }
  return text
}

function randomCuts(random: Random, length: number): number[] {
  if (random.percent(1)) return Array.from({ length }, (_, index) => index)
  const count = random.pick([0, 1, 2, 5])
  return Array.from({ length: count }, () => random.below(length)).sort((a, b) => a - b)
}
