import { basename } from 'node:path/posix'
import { type AcceptItem, firstToken, parseMediaType, parseWords } from './accept-list.ts'
import { MapLines } from './map-lines.ts'
import { Variant } from './variant.ts'

/** The log message for a line that cannot be parsed. Parsing ends there. */
export interface MapFault {
  readonly code: string
  readonly text: string
}

/** The variants of a type map, as far as it could be parsed; null if the map is unusable. */
export interface TypeMap {
  readonly variants: readonly Variant[] | null
  readonly fault: MapFault | null
}

/**
 * Parses a type map: blocks of fields, separated by blank lines. A block with a file or a body and at least
 * one property is a variant; a block with only a URI is a comment.
 * @param path of the map, as the name of its bodies
 * @param named the file that messages name
 * @returns steps for `inTurns`
 */
export function* parseTypeMap(text: string, path: string, named: string = path): Generator<number, TypeMap> {
  const lines = new MapLines(text)
  const variants: Variant[] = []
  let block = new Block()
  for (;;) {
    const line = yield* lines.next()
    if (line.kind !== 'field') {
      const variant = block.variant()
      if (variant !== null) variants.push(variant)
      block = new Block()
      if (line.kind === 'end') return { variants, fault: null }
      continue
    }
    if (line.name === null) {
      const text = `Syntax error in type map, no ':' in ${named} for header ${line.text}`
      return { variants: null, fault: { code: 'AH00681', text } }
    }
    const fault = block.take(line.name, line.text, lines, { path, named })
    if (fault === null) continue
    // The variants read before the error are kept.
    return { variants, fault }
  }
}

/** See {@link parseTypeMap}. */
interface MapNames {
  readonly path: string
  readonly named: string
}

/** The fields of one variant. */
class Block {
  #fileName = ''
  #type: AcceptItem | null = null
  #languages: readonly string[] = []
  #encoding: string | null = null
  #description = ''
  #body: string | null = null
  #length: number | null = null
  #hasContent = false

  take(name: string, value: string, lines: MapLines, map: MapNames): MapFault | null {
    const bare = withoutComments(value)
    switch (name) {
      case 'uri':
        this.#fileName = firstToken(bare)
        return null
      case 'content-type':
        this.#type = parseMediaType(bare)
        break
      case 'content-length':
        if (!/^\d+\s*$/.test(bare)) {
          return {
            code: 'AH00684',
            text: `Parse error in type map, Content-Length: '${bare.trim()}' in ${map.named} is invalid.`,
          }
        }
        this.#length = Number(bare)
        break
      case 'content-language':
        this.#languages = parseWords(bare)
        break
      case 'content-encoding':
        this.#encoding = firstToken(bare)
        break
      case 'description':
        this.#description = bare.replaceAll('\n', ' ').trimEnd()
        return null
      case 'body':
        return this.#takeBody(bare.trim(), lines, map)
      default:
        return null
    }
    this.#hasContent = true
    return null
  }

  variant(): Variant | null {
    if (this.#fileName === '' || !this.#hasContent) return null
    const fileName = this.#fileName
    const type = this.#type
    const languages = this.#languages
    const encoding = this.#encoding
    const description = this.#description
    const body = this.#body
    const length = this.#length
    return new Variant({ fileName, type, languages, encoding, description, body, found: null, length })
  }

  #takeBody(tag: string, lines: MapLines, { path, named }: MapNames): MapFault | null {
    const body = lines.body(tag)
    if (body === null) {
      return { code: 'AH00685', text: `Syntax error in type map, no end tag '${tag}' found in ${named} for Body: content.` }
    }
    this.#body = body
    this.#length = body.length
    this.#fileName = basename(path)
    return null
  }
}

/** Removes comments in parentheses, except inside quotes. */
function withoutComments(text: string): string {
  let kept = ''
  let depth = 0
  let quoted = false
  for (const character of text) {
    if (character === '"') quoted = !quoted
    if (!quoted && character === '(') depth++
    if (depth === 0) kept += character
    else if (!quoted && character === ')') depth--
  }
  return kept
}
