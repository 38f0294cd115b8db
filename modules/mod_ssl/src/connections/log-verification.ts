import type { X509Certificate } from 'node:crypto'
import type { LogSubject, ModuleLog } from '@gatewright/api'
import { certificateForLog, isMalformed, parseCertificate } from '@gatewright/x509'
import type { VerifyError } from './node-tls.ts'
import { type RefusedClient, TOO_LONG } from './verify-client.ts'

/** OpenSSL's numbers of errors. */
const NUMBERS: Readonly<Record<string, number>> = {
  UNSPECIFIED: 1,
  UNABLE_TO_GET_ISSUER_CERT: 2,
  UNABLE_TO_GET_CRL: 3,
  UNABLE_TO_DECRYPT_CERT_SIGNATURE: 4,
  UNABLE_TO_DECRYPT_CRL_SIGNATURE: 5,
  UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: 6,
  CERT_SIGNATURE_FAILURE: 7,
  CRL_SIGNATURE_FAILURE: 8,
  CERT_NOT_YET_VALID: 9,
  CERT_HAS_EXPIRED: 10,
  CRL_NOT_YET_VALID: 11,
  CRL_HAS_EXPIRED: 12,
  ERROR_IN_CERT_NOT_BEFORE_FIELD: 13,
  ERROR_IN_CERT_NOT_AFTER_FIELD: 14,
  ERROR_IN_CRL_LAST_UPDATE_FIELD: 15,
  ERROR_IN_CRL_NEXT_UPDATE_FIELD: 16,
  DEPTH_ZERO_SELF_SIGNED_CERT: 18,
  SELF_SIGNED_CERT_IN_CHAIN: 19,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 20,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 21,
  CERT_CHAIN_TOO_LONG: 22,
  CERT_REVOKED: 23,
  INVALID_CA: 79,
  PATH_LENGTH_EXCEEDED: 25,
  INVALID_PURPOSE: 26,
  CERT_UNTRUSTED: 27,
  CERT_REJECTED: 28,
  APPLICATION_VERIFICATION: 50,
  UNHANDLED_CRITICAL_EXTENSION: 34,
  KEYUSAGE_NO_CRL_SIGN: 35,
  UNHANDLED_CRITICAL_CRL_EXTENSION: 36,
  UNABLE_TO_GET_CRL_ISSUER: 33,
  INVALID_EXTENSION: 41,
  INVALID_POLICY_EXTENSION: 42,
  PERMITTED_VIOLATION: 47,
  EXCLUDED_VIOLATION: 48,
  SUBTREE_MINMAX: 49,
  UNSUPPORTED_CONSTRAINT_TYPE: 51,
  UNSUPPORTED_CONSTRAINT_SYNTAX: 52,
  UNSUPPORTED_NAME_SYNTAX: 53,
  EE_KEY_TOO_SMALL: 66,
  CA_KEY_TOO_SMALL: 67,
  CA_MD_TOO_WEAK: 68,
}

/** Node reports OpenSSL's last error. httpd refuses a client at the first one, which always precedes these. */
const FIRST_ERRORS: Readonly<Record<string, VerifyError>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    message: 'unable to get local issuer certificate',
  },
}

/** Logs why the certificate of a client or of a back end was refused. */
export function logVerification(
  log: ModuleLog,
  subject: LogSubject,
  { error, tooLong, chain, isExcused = false }: RefusedClient,
): void {
  if (error !== TOO_LONG && !isExcused) logError(log, subject, error, chain)
  if (tooLong === null) return
  const { length, allowed } = tooLong
  const text = `Certificate Verification: Certificate Chain too long (chain has ${length} certificates, but maximum allowed are only ${allowed})`
  log.write(subject, 'error', 'AH02040', text)
}

function logError(log: ModuleLog, subject: LogSubject, error: VerifyError, chain: readonly X509Certificate[]): void {
  const { code, message } = FIRST_ERRORS[error.code] ?? error
  const text = `Certificate Verification: Error (${NUMBERS[code] ?? 1}): ${message}`
  if (!log.enabled(subject, 'info')) return log.write(subject, 'error', 'AH02039', text)
  const parsed = chain.length === 0 ? undefined : parseCertificate(chain[0].raw)
  const described = parsed === undefined || isMalformed(parsed) ? '' : certificateForLog(parsed, text.length)
  log.write(subject, 'info', 'AH02276', `${text}${described}`)
}
