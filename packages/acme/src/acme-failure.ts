/** A problem document of a CA (RFC 7807, RFC 8555 section 6.7). */
export interface Problem {
  /** `urn:ietf:params:acme:error:rateLimited`. */
  readonly type: string
  readonly detail: string
  /** HTTP status of the answer. */
  readonly status: number
}

/** What went wrong between this client and a CA. */
export class AcmeFailure extends Error {
  override readonly name = 'AcmeFailure'
  /** Null when the CA gave no reason: it could not be reached, or its answer could not be read. */
  readonly problem: Problem | null
  /** Milliseconds that the CA asked to wait (Retry-After); 0 when it did not. */
  readonly retryAfter: number

  constructor(message: string, problem: Problem | null = null, retryAfter = 0) {
    super(message)
    this.problem = problem
    this.retryAfter = retryAfter
  }

  /** The type without its prefix, `badNonce`; '' without a problem document. */
  get kind(): string {
    return this.problem?.type.replace(/^urn:(?:ietf:params:)?acme:error:/, '') ?? ''
  }
}
