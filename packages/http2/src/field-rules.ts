import { TOKEN } from '@gatewright/http/messages'

/** Fields about a connection of HTTP/1.1: a message with one is malformed (RFC 9113 section 8.2.2). */
export const CONNECTION_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])

/** Whether a text can be the name of a field: a token without capital letters (RFC 9113 section 8.2.1). */
export function isLowerToken(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (TOKEN[code] !== 1 || (code >= 65 && code <= 90)) return false
  }
  return text !== ''
}

/** Spellings of names in HTTP/1.1; a server sees few of them. */
const spellings = new Map<string, string>()
const SPELLINGS_MAX = 500

/** As in HTTP/1.1, for programs that expect it: each word begins with a capital letter. */
export function http1Name(name: string): string {
  const known = spellings.get(name)
  if (known !== undefined) return known
  const spelling = name.replace(/(^|-)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase())
  if (spellings.size < SPELLINGS_MAX) spellings.set(name, spelling)
  return spelling
}
