import type { RevocationCheck } from './settings.ts'

/**
 * True if OpenSSL checks revocation as SSLCARevocationCheck demands. With lists, and only then, Node lets it check the whole chain,
 * and refuse certificates without list.
 */
export function isCheckedByOpenSsl({ whose, missingIsFine }: RevocationCheck, lists: readonly string[]): boolean {
  return whose === 'chain' && !missingIsFine && lists.length > 0
}
