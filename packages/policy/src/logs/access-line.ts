/** What a line of an access log says of its request; null for what its format leaves out. */
export interface LoggedRequest {
  readonly method: string
  readonly target: string
  readonly host: string | null
  readonly port: number | null
  readonly client: string | null
  readonly user: string | null
  /** Fields of the request, without Host. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly status: number | null
  /** The format that fits the line. */
  readonly format: string
}

/** The formats that every server knows: a line may come from a configuration without a LogFormat of its own. */
const KNOWN_FORMATS: readonly string[] = [
  '%v:%p %h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i"',
  '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"',
  '%h %l %u %t "%r" %>s %b',
]

/**
 * Reads a line of an access log by the format with the most items that fits it; null if none fits, or if the line
 * contains no request line or method and path.
 * @param formats those of the configuration, in the syntax of LogFormat
 */
export function readAccessLine(line: string, formats: readonly string[]): LoggedRequest | null {
  const fitting = [...formats, ...KNOWN_FORMATS].flatMap((format) => {
    const values = matched(format, line)
    return values === null ? [] : [{ format, values }]
  })
  for (const { format, values } of fitting.sort((a, b) => b.values.size - a.values.size)) {
    const request = requestOf(format, values)
    if (request !== null) return request
  }
  return null
}

/** One item: its modifiers are conditions and `<` or `>`, which do not change what it prints. */
const ITEM = /%[!\d,<>]*(?:\{([^}]*)\})?(\^?[A-Za-z%]{1}[a-z]?)/g

function matched(format: string, line: string): Map<string, string> | null {
  const names: string[] = []
  let source = ''
  let end = 0
  for (const item of format.matchAll(ITEM)) {
    // Only the trailers' items have two letters.
    const letter = (item[2] ?? '').startsWith('^') ? (item[2] ?? '') : (item[2] ?? '').charAt(0)
    const length = item[0].length - ((item[2] ?? '').length - letter.length)
    source += literal(format.slice(end, item.index))
    end = item.index + length
    if (letter === '%') {
      source += '%'
      continue
    }
    const isQuoted = format.charAt(item.index - 1) === '"' && format.charAt(end) === '"'
    names.push(item[1] === undefined || letter === 't' ? letter : `${letter}:${item[1].toLowerCase()}`)
    source += `(${letter === 't' && item[1] === undefined ? '\\[[^\\]]*\\]' : isQuoted ? QUOTED : WORDS.has(letter) ? '\\S+' : letter === 'U' ? '.+?' : '.*?'})`
  }
  source += literal(format.slice(end))
  const values = new RegExp(`^${source}$`).exec(line)
  if (values === null) return null
  return new Map(names.map((name, index) => [name, unescaped(values[index + 1] ?? '')]))
}

const QUOTED = '(?:\\\\.|[^"\\\\])*'
/** Items whose values have no blanks. */
const WORDS: ReadonlySet<string> = new Set('aAbBDhHIklmOpPsSTuvVX')

function literal(text: string): string {
  return text.replace(/\\t/g, '\t').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** Undoes the escapes of log items. */
function unescaped(value: string): string {
  return value.replace(/\\(?:x([0-9a-f]{2})|(.))/gi, (_, hex?: string, character = '') =>
    hex === undefined ? (ESCAPES[character] ?? character) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

function requestOf(format: string, values: ReadonlyMap<string, string>): LoggedRequest | null {
  const known = (name: string): string | null => {
    const value = values.get(name)
    return value === undefined || value === '-' || value === '' ? null : value
  }
  const [, method, target] = /^(\S+) (\S.*?)(?: HTTP\/\d\.\d)?$/.exec(values.get('r') ?? '') ?? [
    '',
    known('m') ?? undefined,
    known('U') === null ? undefined : `${known('U')}${known('q') ?? ''}`.replaceAll(' ', '%20'),
  ]
  if (method === undefined || target === undefined || /[\r\n]/.test(target)) return null
  const host = known('i:host') ?? known('V') ?? known('v')
  const status = Number(known('s') ?? Number.NaN)
  return {
    method,
    target,
    host,
    port: numberOf(known('p') ?? known('p:local') ?? known('p:canonical')),
    client: addressOf(known('a') ?? known('h') ?? known('a:c')),
    user: known('u') === '""' ? null : known('u'),
    headers: [...values].flatMap(([name, value]) =>
      name.startsWith('i:') && name !== 'i:host' && value !== '-' && !/[\r\n]/.test(value)
        ? [[name.slice(2), value] as const]
        : [],
    ),
    status: Number.isNaN(status) ? null : status,
    format,
  }
}

function numberOf(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null
}

/** A host name is not asked for its address. */
function addressOf(text: string | null): string | null {
  return text !== null && /^[\d.]+$|^[\da-f:.]+$/i.test(text) && /[.:]/.test(text) ? text : null
}
