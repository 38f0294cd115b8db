/** A media type in the configuration, parsed once. */
export interface MediaType {
  /** The text that is sent if no character set is added. */
  readonly text: string
  /**
   * `type/subtype` and the parameters; null if the text is not a media type. It is then sent as written, with
   * a warning.
   */
  readonly parts: MediaTypeParts | null
  /** The warning about a malformed text. */
  readonly warning: { readonly code: string; readonly text: string } | null
}

interface MediaTypeParts {
  readonly essence: string
  /** Names in lower case, values as written, quotes included. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

/** Parses `type/subtype; name=value; ...`. */
export function parseMediaType(source: string): MediaType {
  const essence = ESSENCE.exec(source)
  if (essence === null)
    return malformed(source, source.includes('/') ? SUBTYPE : { code: 'AH01599', text: `Cannot get media type from '${source}'` })
  const parameters: [string, string][] = []
  const parameter = new RegExp(PARAMETER, 'y')
  parameter.lastIndex = essence[0].length
  while (parameter.lastIndex < source.length) {
    const at = parameter.lastIndex
    const found = parameter.exec(source)
    if (found === null) {
      if (source.slice(at).trim() === '') break
      return malformed(source, { code: 'AH01604', text: 'Cannot get media parameter.' })
    }
    // A name without a value is ignored.
    if (found[2] !== undefined) parameters.push([found[1].toLowerCase(), found[2]])
  }
  const parts = { essence: `${essence[1]}/${essence[2]}`, parameters }
  return { text: compose(parts, null), parts, warning: null }
}

/** The type with a character set, which replaces its charset parameter or is added at the end. */
export function withCharset(type: MediaType, charset: string): string {
  return type.parts === null ? type.text : compose(type.parts, charset)
}

function compose(parts: MediaTypeParts, charset: string | null): string {
  let text = parts.essence
  let placed = charset === null
  for (const [name, value] of parts.parameters) {
    if (charset === null || name !== 'charset') {
      text += `; ${name}=${value}`
    } else if (!placed) {
      text += `; charset=${charset}`
      placed = true
    }
  }
  return placed ? text : `${text}; charset=${charset}`
}

const SUBTYPE = { code: 'AH01601', text: 'Cannot get media subtype.' }

function malformed(text: string, warning: { readonly code: string; readonly text: string }): MediaType {
  return { text, parts: null, warning }
}

const ESSENCE = /^\s*([^\s/;]+)\s*\/\s*([^\s;]+)/

/** One parameter: a token, and after `=` a token or a quoted string. */
const PARAMETER = /\s*;\s*([^\s;="(),/:<>?@[\\\]]+)\s*(?:=\s*([^\s;="(),/:<>?@[\\\]]+|"(?:[^"\\]|\\.)*")\s*(?=;|$))?/
