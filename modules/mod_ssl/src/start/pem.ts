/** A block of a PEM file. */
export interface PemBlock {
  /** The words after BEGIN: `CERTIFICATE`. */
  readonly label: string
  /** With its first and last line. */
  readonly text: string
}

/** The blocks of a text in their order. What is between them is ignored, and so is a block that does not end. */
export function pemBlocks(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = []
  let at = 0
  for (;;) {
    const begin = text.indexOf('-----BEGIN ', at)
    if (begin < 0) return blocks
    const labelEnd = text.indexOf('-----', begin + 11)
    if (labelEnd < 0) return blocks
    const label = text.slice(begin + 11, labelEnd)
    const closing = `-----END ${label}-----`
    const end = text.indexOf(closing, labelEnd)
    if (end < 0 || label.includes('\n')) {
      at = begin + 11
      continue
    }
    at = end + closing.length
    blocks.push({ label, text: `${text.slice(begin, at)}\n` })
  }
}

const CERTIFICATES: ReadonlySet<string> = new Set(['CERTIFICATE', 'X509 CERTIFICATE', 'TRUSTED CERTIFICATE'])

/** The certificates among them. */
export function certificatesIn(text: string): readonly string[] {
  return pemBlocks(text).flatMap((block) => (CERTIFICATES.has(block.label) ? [plain(block)] : []))
}

/** The revocation lists among them. */
export function revocationListsIn(text: string): readonly string[] {
  return pemBlocks(text).flatMap(({ label, text }) => (label === 'X509 CRL' ? [text] : []))
}

/** Under the label that Node reads. */
function plain({ label, text }: PemBlock): string {
  return label === 'X509 CERTIFICATE' ? text.replaceAll('X509 CERTIFICATE', 'CERTIFICATE') : text
}

/** The first private key; undefined if there is none. */
export function privateKeyIn(text: string): PemBlock | undefined {
  return pemBlocks(text).find(({ label }) => label.endsWith('PRIVATE KEY'))
}

/** True for a key that a pass phrase protects. */
export function isEncrypted({ label, text }: PemBlock): boolean {
  return label === 'ENCRYPTED PRIVATE KEY' || /^Proc-Type: 4,ENCRYPTED/m.test(text)
}

/** Parameters of Diffie-Hellman; undefined if there are none. */
export function dhParametersIn(text: string): string | undefined {
  return pemBlocks(text).find(({ label }) => label === 'DH PARAMETERS' || label === 'X9.42 DH PARAMETERS')?.text
}
