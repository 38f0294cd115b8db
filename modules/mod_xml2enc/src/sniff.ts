/** What the beginning of a text says about its charset. */
export interface Sniffed {
  /** The name as written; null if nothing names one. */
  readonly charset: string | null
  readonly from: 'header' | 'first bytes' | 'META element' | null
  /** The beginning without the META element that names a content type, which the translation makes wrong. */
  readonly head: Buffer
  /** Number of bytes before that element, or of all. */
  readonly sound: number
}

/**
 * Determines the charset of a text: the Content-Type field comes first, then the byte order mark or what else XML makes of
 * the first bytes, then a META element.
 * @param contentType the media type of the response with its parameters
 */
export function sniff(contentType: string, head: Buffer): Sniffed {
  const text = head.toString('latin1')
  const meta = META_TYPE.exec(text)
  const cut = meta === null ? head : Buffer.concat([head.subarray(0, meta.index), head.subarray(meta.index + meta[0].length)])
  const rest = { head: cut, sound: meta === null ? head.length : meta.index }
  const ofHeader = /charset=([^ ;]*)/i.exec(contentType)?.[1]
  if (ofHeader !== undefined) return { charset: unquoted(ofHeader), from: 'header', ...rest }
  const ofBytes = charsetOfBytes(head)
  if (ofBytes !== null) return { charset: ofBytes, from: 'first bytes', ...rest }
  const ofMeta = meta === null ? undefined : CHARSET.exec(meta[0])?.[1]
  if (ofMeta !== undefined) return { charset: ofMeta, from: 'META element', ...rest }
  return { charset: null, from: null, ...rest }
}

const META_TYPE = /<meta[^>]*http-equiv[ \t\r\n='"]*content-type[^>]*>/i
const CHARSET = /charset=([A-Za-z0-9_-]+)/i

function unquoted(name: string): string {
  return name.replace(/^["']|["']$/g, '')
}

/** Appendix F of XML 1.0. */
const MARKS: readonly (readonly [string, string])[] = [
  ['efbbbf', 'UTF-8'],
  ['feff', 'UTF-16BE'],
  ['fffe', 'UTF-16LE'],
  ['003c003f', 'UTF-16BE'],
  ['3c003f00', 'UTF-16LE'],
  ['3c3f786d', 'UTF-8'],
]

function charsetOfBytes(head: Buffer): string | null {
  const first = head.toString('hex', 0, 4)
  return MARKS.find(([mark]) => first.startsWith(mark))?.[1] ?? null
}

/** The media type with `charset=utf-8`. */
export function withUtf8(contentType: string): string {
  return CHARSET.test(contentType) ? contentType.replace(CHARSET, 'charset=utf-8') : `${contentType};charset=utf-8`
}
