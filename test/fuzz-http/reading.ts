/** The result of parsing a stream. All text is latin1. */
export interface Reading {
  /** Every message whose head was accepted. */
  readonly messages: ReadMessage[]
  /** Why it reads no further; '' as long as it would. */
  fault: string
}

export interface ReadMessage {
  readonly method: string
  readonly target: string
  /** `1.1` */
  readonly version: string
  /** Name and value in turn, fields of one name joined into the first of them. */
  readonly fields: readonly string[]
  /** Whether the parser would take another message after this one. */
  persistent: boolean
  body: string
  trailers: readonly string[]
  /** The offset in the stream after the last byte of the message; -1 until that has arrived. */
  end: number
}

/** Joins fields of one name into the first of them (RFC 9110 section 5.3), as httpd and our parser do. */
export function joined(fields: readonly string[]): readonly string[] {
  if (!hasRepeatedName(fields)) return fields
  const kept: string[] = []
  const places = new Map<string, number>()
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i].toLowerCase()
    const place = places.get(name)
    if (place === undefined) {
      places.set(name, kept.length + 1)
      kept.push(fields[i], fields[i + 1])
    } else {
      kept[place] += `, ${fields[i + 1]}`
    }
  }
  return kept
}

function hasRepeatedName(fields: readonly string[]): boolean {
  for (let i = 2; i < fields.length; i += 2) {
    for (let k = 0; k < i; k += 2) {
      if (fields[k].length === fields[i].length && fields[k].toLowerCase() === fields[i].toLowerCase()) return true
    }
  }
  return false
}
