import { decodePercent } from '@gatewright/api/text'
import { DavError } from './dav-error.ts'

/** A condition: a state token, or an entity tag. */
export interface IfCondition {
  readonly kind: 'token' | 'etag'
  readonly value: string
  readonly negated: boolean
}

/** Conditions that must all hold. */
export interface IfList {
  /** The path of the resource that it is about; null for every resource of the request. */
  readonly path: string | null
  readonly conditions: readonly IfCondition[]
}

const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/

/** Checks the form of a token of mod_dav. @throws DavError */
export function checkToken(token: string): void {
  if (token.startsWith('opaquelocktoken:') && !UUID.test(token.slice('opaquelocktoken:'.length))) {
    throw new DavError(400, 'The opaquelocktoken has an incorrect format and could not be parsed.', { id: 404 })
  }
}

/** Reads an If field. @throws DavError for a field that is none */
export function parseIf(field: string): IfList[] {
  const lists: IfList[] = []
  let path: string | null = null
  let at = 0
  const skip = (): void => {
    while (field[at] === ' ' || field[at] === '\t') at++
  }
  const upTo = (end: string): string => {
    const to = field.indexOf(end, at + 1)
    if (to < 0) throw bad('Invalid "If:" header: unclosed.', 100)
    const text = field.slice(at + 1, to)
    at = to + 1
    return text
  }
  for (skip(); at < field.length; skip()) {
    if (field[at] === '<') {
      const uri = upTo('>')
      const found = /^(?:https?:\/\/[^/]*)?(\/[^?#]*)$/i.exec(uri)
      if (found === null) throw bad('Invalid URI in tagged If-header.', 104)
      path = decodePath(found[1])
    } else if (field[at] === '(') {
      at++
      const conditions: IfCondition[] = []
      let negated = false
      for (skip(); field[at] !== ')'; skip()) {
        const char = field[at]
        if (char === undefined) throw bad('Invalid "If:" header: unclosed "(".', 100)
        if (char === '<') {
          const value = upTo('>')
          checkToken(value)
          conditions.push({ kind: 'token', value, negated })
          negated = false
        } else if (char === '[') {
          conditions.push({ kind: 'etag', value: upTo(']'), negated })
          negated = false
        } else if (/^not(?![a-z])/i.test(field.slice(at, at + 4)) && !negated) {
          negated = true
          at += 3
        } else throw unexpected(char)
      }
      at++
      lists.push({ path, conditions })
    } else throw unexpected(field[at])
  }
  return lists
}

function unexpected(char: string): DavError {
  const code = char.charCodeAt(0).toString(16).padStart(2, '0')
  return bad(`Invalid "If:" header: Unexpected character encountered (0x${code}, '${char}').`, 102)
}

function bad(text: string, id: number): DavError {
  return new DavError(400, text, { id })
}

/** A path with its escapes decoded to bytes, without a slash at the end. */
export function decodePath(path: string): string {
  const decoded = decodePercent(path)
  return decoded.length > 1 && decoded.endsWith('/') ? decoded.slice(0, -1) : decoded
}
