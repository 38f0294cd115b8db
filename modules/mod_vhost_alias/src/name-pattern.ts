/** Values for a pattern: a name or an address, and the requested port. */
export interface Filling {
  readonly name: string
  readonly port: number
}

/** A compiled format string. Text from the name is converted to lower case. */
export type NamePattern = (filling: Filling) => string

type Piece = string | ((filling: Filling, parts: readonly string[]) => string)

/** `-N+`: the Nth from the end and all before it; 0 selects everything. */
interface Choice {
  readonly number: number
  readonly fromEnd: boolean
  readonly andMore: boolean
}

const WHOLE: Choice = { number: 0, fromEnd: false, andMore: false }

/**
 * Compiles `%%`, `%p` and `%N.M`, where N selects dot-separated parts of the name, and M characters of the
 * selected part. null if a `%` is followed by anything else.
 */
export function compileNamePattern(text: string): NamePattern | null {
  const pieces: Piece[] = []
  const specifier = /%(?:(%)|(p)|(-?)(\d)(\+?)(?:\.(-?)(\d)(\+?))?)/y
  let at = 0
  while (at < text.length) {
    const percent = text.indexOf('%', at)
    if (percent !== at) {
      const end = percent < 0 ? text.length : percent
      pieces.push(text.slice(at, end))
      at = end
      continue
    }
    specifier.lastIndex = at
    const found = specifier.exec(text)
    if (found === null || (found[4] !== undefined && found[7] === undefined && text[specifier.lastIndex] === '.')) return null
    at = specifier.lastIndex
    const [, literal, port, partSign, part, partMore, sign, character, more] = found
    if (literal !== undefined) pieces.push('%')
    else if (port !== undefined) pieces.push((filling) => String(filling.port))
    else {
      const ofParts = choice(partSign, part, partMore)
      const ofCharacters = character === undefined ? WHOLE : choice(sign, character, more)
      pieces.push((_, parts) => chooseCharacters(chooseParts(parts, ofParts), ofCharacters))
    }
  }
  return (filling) => {
    const parts = splitName(filling.name.toLowerCase())
    return pieces.map((piece) => (typeof piece === 'string' ? piece : piece(filling, parts))).join('')
  }
}

function choice(sign: string, digit: string, plus: string): Choice {
  return { number: Number(digit), fromEnd: sign === '-', andMore: plus === '+' }
}

/** Dots after the nineteenth part are ordinary characters. */
const MAX_PARTS = 19

function splitName(name: string): readonly string[] {
  const parts = name.split('.')
  return parts.length <= MAX_PARTS ? parts : [...parts.slice(0, MAX_PARTS - 1), parts.slice(MAX_PARTS - 1).join('.')]
}

function chooseParts(parts: readonly string[], { number, fromEnd, andMore }: Choice): string {
  if (number === 0) return parts.join('.')
  if (number > parts.length) return MISSING
  if (!fromEnd) return parts.slice(number - 1, andMore ? undefined : number).join('.')
  const place = parts.length - number
  return parts.slice(andMore ? 0 : place, place + 1).join('.')
}

function chooseCharacters(text: string, { number, fromEnd, andMore }: Choice): string {
  if (number === 0) return text
  if (number > text.length) return MISSING
  if (!fromEnd) return text.slice(number - 1, andMore ? undefined : number)
  const place = text.length - number
  return text.slice(andMore ? 0 : place, place + 1)
}

/** Replaces parts that a name does not have. */
const MISSING = '_'
