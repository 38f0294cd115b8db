/** In bytes: words are looked for up to here. */
const WORDS_LIMIT = 1024

const HTML = 'text/html'
const PLAIN = 'text/plain'
const MAIL = 'message/rfc822'
const NEWS = 'message/news'

/** Words that are typical of a kind of text, and its type. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ...['<html>', '<HTML>', '<head>', '<HEAD>', '<title>', '<TITLE>', '<h1>', '<H1>', '<!--'].map(to(HTML)),
  ...['/*', '#include', 'char', 'double', 'extern', 'float', 'real', 'struct', 'union'].map(to(PLAIN)),
  ...['CFLAGS', 'LDFLAGS', 'all:', '.PRECIOUS', '.ascii', '.asciiz', '.byte', '.even', '.globl', 'clr', '(input,', 'dcl'].map(
    to(PLAIN),
  ),
  ...['Received:', '>From', 'Return-Path:', 'Cc:'].map(to(MAIL)),
  ...['Newsgroups:', 'Path:', 'Organization:'].map(to(NEWS)),
])

/** The type of a text by its words, or of a tar archive; null if nothing is typical. @param bytes the beginning of the file, and one NUL */
export function matchText(bytes: Buffer): string | null {
  const start = bytes.toString('latin1', 0, WORDS_LIMIT)
  if (/^\.\s*(?:[a-z0-9\\][a-z0-9])/i.test(start)) return 'application/x-troff'
  if (/^c\s/i.test(start)) return PLAIN
  const nul = start.indexOf('\0')
  for (const word of (nul < 0 ? start : start.slice(0, nul)).split(/[ \t\n\r\f]+/)) {
    const type = WORDS.get(word)
    if (type !== undefined) return start.includes('\x1b') ? `${type} (with escape sequences)` : type
  }
  return isTar(bytes) ? 'application/x-tar' : null
}

function to(type: string): (word: string) => readonly [string, string] {
  return (word) => [word, type]
}

const TAR_BLOCK = 512
const CHECKSUM = { at: 148, length: 8 } as const

/** Whether the first block is the head of a member: its checksum fits. */
function isTar(bytes: Buffer): boolean {
  if (bytes.length < TAR_BLOCK) return false
  const { at, length } = CHECKSUM
  const recorded = Number.parseInt(bytes.toString('latin1', at, at + length).replace(/^ +/, ''), 8)
  let sum = length * 0x20
  for (let index = 0; index < TAR_BLOCK; index++) if (index < at || index >= at + length) sum += bytes[index]
  return recorded === sum
}
