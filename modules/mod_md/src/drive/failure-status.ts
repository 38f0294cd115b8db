/** A status of the portability library, as job.json has it. */
export interface FailureStatus {
  readonly code: number
  readonly text: string
}

const GENERAL: FailureStatus = { code: 20_014, text: 'Internal error (specific information not available)' }
const DENIED: FailureStatus = { code: 13, text: 'Permission denied' }
const INVALID: FailureStatus = { code: 22, text: 'Invalid argument' }
const BAD_ARGUMENT: FailureStatus = { code: 70_013, text: 'Missing parameter for the specified command line option' }

/** By the last part of the problem's type (RFC 8555, section 6.7), as in httpd. */
const STATUSES: Readonly<Record<string, FailureStatus>> = {
  badCSR: INVALID,
  badRevocationReason: INVALID,
  badSignatureAlgorithm: INVALID,
  externalAccountRequired: INVALID,
  malformed: INVALID,
  invalidContact: BAD_ARGUMENT,
  rateLimited: BAD_ARGUMENT,
  rejectedIdentifier: BAD_ARGUMENT,
  unsupportedIdentifier: BAD_ARGUMENT,
  unauthorized: DENIED,
}

/**
 * The status of a renewal that failed.
 * @param problem the type that the CA reported, a URN; '' if the CA reported none
 */
export function failureStatus(problem: string): FailureStatus {
  const kind = problem.slice(problem.lastIndexOf(':') + 1)
  return Object.hasOwn(STATUSES, kind) ? STATUSES[kind] : GENERAL
}
