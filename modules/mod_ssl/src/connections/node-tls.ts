import type { TLSSocket } from 'node:tls'

/** Why OpenSSL does not trust the client's certificate. */
export interface VerifyError {
  /** OpenSSL's name without `X509_V_ERR_`: `CERT_HAS_EXPIRED`. */
  readonly code: string
  readonly message: string
}

/**
 * The result of verifying the client's certificate; null if it is trusted. Node keeps it for its own servers
 * only, so it is read from the socket's handle: this file alone accesses it.
 */
export function verifyError(socket: TLSSocket): VerifyError | null {
  const handle: unknown = Reflect.get(socket, '_handle')
  if (!canVerify(handle)) return { code: 'UNSPECIFIED', message: 'unspecified certificate verification error' }
  const error = handle.verifyError()
  if (error === null || error === undefined) return null
  return { code: typeof error.code === 'string' ? error.code : 'UNSPECIFIED', message: error.message }
}

interface Verifying {
  verifyError(): (Error & { readonly code?: unknown }) | null | undefined
}

function canVerify(handle: unknown): handle is Verifying {
  return typeof handle === 'object' && handle !== null && 'verifyError' in handle && typeof handle.verifyError === 'function'
}
