import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * Whether these bytes are a module that came with the server. Its build lists the digests of its modules beside the
 * program: who can change that list can change the program as well.
 * @param list the file of the list, an object of SHA-256 in hexadecimal by file name; undefined or missing: no modules
 */
export function isOwnModule(bytes: Buffer, list: string | undefined): boolean {
  if (list === undefined) return false
  const digest = createHash('sha256').update(bytes).digest('hex')
  return digestsIn(list).includes(digest)
}

function digestsIn(list: string): readonly unknown[] {
  try {
    const content: unknown = JSON.parse(readFileSync(list, 'utf8'))
    return typeof content === 'object' && content !== null ? Object.values(content) : []
  } catch {
    // Without the list, every module needs a signature.
    return []
  }
}
