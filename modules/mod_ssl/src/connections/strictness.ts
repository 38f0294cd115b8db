import type { VerifyMode } from '../settings.ts'

/** OpenSSL's modes of verifying clients: it asks for nothing, asks for a certificate, or requires one. */
export const STRICTNESS = { none: 0, optional: 1, require: 2 } as const

export type Strictness = (typeof STRICTNESS)[keyof typeof STRICTNESS]

/** The mode for SSLVerifyClient. */
export function strictnessOf(mode: VerifyMode | undefined): Strictness {
  switch (mode) {
    case 'require':
      return STRICTNESS.require
    case 'optional':
    case 'optional_no_ca':
      return STRICTNESS.optional
    default:
      return STRICTNESS.none
  }
}
