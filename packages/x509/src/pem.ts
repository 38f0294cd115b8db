/** One block of a PEM file. */
export interface PemBlock {
  /** What follows BEGIN, for instance `CERTIFICATE`. */
  readonly label: string
  /** Lines such as `Proc-Type: 4,ENCRYPTED`, without line ends. */
  readonly headers: readonly string[]
  /** The decoded contents; undefined if they are not base64. */
  readonly der: Buffer | undefined
  /** The line of BEGIN, from 1. */
  readonly line: number
}

const BEGIN = '-----BEGIN '
const END = '-----END '
const DASHES = '-----'
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
const LABELS_OF_CERTIFICATES = ['CERTIFICATE', 'X509 CERTIFICATE', 'TRUSTED CERTIFICATE']

/**
 * Finds all blocks of a PEM file. As in OpenSSL, text between blocks is passed over, blanks at line ends do not matter, and a block
 * without its END is none.
 */
export function readPem(text: string | Uint8Array): readonly PemBlock[] {
  const lines = (typeof text === 'string' ? text : Buffer.from(text).toString('latin1')).split('\n')
  const blocks: PemBlock[] = []
  let begin: { label: string; line: number } | undefined
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index].trimEnd()
    if (line.startsWith(BEGIN) && line.endsWith(DASHES) && begin === undefined)
      begin = { label: line.slice(BEGIN.length, -DASHES.length), line: index }
    else if (begin !== undefined && line.startsWith(END)) {
      if (line === `${END}${begin.label}${DASHES}`)
        blocks.push(blockOf(begin.label, begin.line, lines.slice(begin.line + 1, index)))
      begin = undefined
    }
  }
  return blocks
}

/** A block as OpenSSL writes it: 64 characters in a line, with a line end after the last. */
export function pemText(label: string, der: Uint8Array): string {
  const base64 = Buffer.from(der.buffer, der.byteOffset, der.byteLength).toString('base64')
  const lines: string[] = []
  for (let at = 0; at < base64.length; at += 64) lines.push(`${base64.slice(at, at + 64)}\n`)
  return `${BEGIN}${label}${DASHES}\n${lines.join('')}${END}${label}${DASHES}\n`
}

/** Whether a block is a certificate. */
export function isCertificateBlock({ label }: PemBlock): boolean {
  return LABELS_OF_CERTIFICATES.includes(label)
}

/** Whether a block is a private key, encrypted or not. */
export function isKeyBlock({ label }: PemBlock): boolean {
  return label === 'PRIVATE KEY' || label.endsWith(' PRIVATE KEY')
}

/** Whether a block is a private key that needs a passphrase. */
export function isEncryptedKey(block: PemBlock): boolean {
  if (!isKeyBlock(block)) return false
  return block.label === 'ENCRYPTED PRIVATE KEY' || block.headers.some((header) => /^Proc-Type:\s*4\s*,\s*ENCRYPTED/.test(header))
}

function blockOf(label: string, line: number, inside: readonly string[]): PemBlock {
  // Headers end with an empty line; contents without headers have none.
  const firstLine = inside.findIndex((each) => each.trim() !== '')
  const end =
    firstLine >= 0 && inside[firstLine].includes(':')
      ? inside.findIndex((each, index) => index > firstLine && each.trim() === '')
      : -1
  const headers = end < 0 ? [] : inside.slice(firstLine, end).map((each) => each.trimEnd())
  const base64 = inside
    .slice(end + 1)
    .join('')
    .replace(/\s+/g, '')
  const whole = base64.length > 0 && base64.length % 4 === 0 && BASE64.test(base64)
  return { label, headers, der: whole ? Buffer.from(base64, 'base64') : undefined, line: line + 1 }
}
