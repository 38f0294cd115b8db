import type { Command } from '@gatewright/api'
import type { RevocationCheck, VerifyMode } from '../settings.ts'

/** SSLVerifyClient and SSLProxyVerify; undefined for other words. */
export function verifyMode(word: string): VerifyMode | undefined {
  switch (word.toLowerCase()) {
    case 'none':
    case 'off':
      return 'none'
    case 'optional':
      return 'optional'
    case 'require':
    case 'on':
      return 'require'
    case 'optional_no_ca':
      return 'optional_no_ca'
  }
  return undefined
}

/**
 * `WORD [flag]`, the words of a check of revocation.
 * @param whose meaning of the first word, in lower case
 * @param flag the word that lets certificates pass of which nothing is known
 */
export function revocationCheck(
  words: readonly string[],
  whose: Readonly<Record<string, RevocationCheck['whose']>>,
  flag: string,
  { name }: Command,
): RevocationCheck | { readonly error: string } {
  const [first = '', ...flags] = words
  const meant = Object.hasOwn(whose, first.toLowerCase()) ? whose[first.toLowerCase()] : undefined
  if (meant === undefined) return { error: `${name}: Invalid argument '${first}'` }
  const wrong = flags.find((word) => word.toLowerCase() !== flag)
  if (wrong !== undefined) return { error: `${name}: Invalid argument '${wrong}'` }
  return { whose: meant, missingIsFine: flags.length > 0 }
}

/** A number as C's `atoi` reads it: leading digits, else 0; as an `int`. */
export function leadingNumber(text: string): number {
  const digits = /^\s*([-+]?\d+)/.exec(text)?.[1]
  return digits === undefined ? 0 : Number(BigInt.asIntN(32, clamped(BigInt(digits))))
}

/** `strtol` stops at the ends of a long. */
function clamped(value: bigint): bigint {
  const most = 2n ** 63n - 1n
  return value > most ? most : value < -most - 1n ? -most - 1n : value
}

/** True where a line is outside of sections, so that it sets something of its server. */
export function isOutside({ section: { kind } }: Command): boolean {
  return kind === 'server' || kind === 'VirtualHost'
}
