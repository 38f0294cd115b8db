import type { Claim, Decided } from '../prove/claim.ts'

/** The answer of another server. */
export interface Answer {
  readonly status: number
  /** WWW-Authenticate, '' for none. */
  readonly challenge: string
}

/** A claim that another server contradicts, on one side or on both. */
export interface Contradiction {
  readonly claim: Claim
  readonly before: Answer
  readonly after: Answer
}

/**
 * null if both answers match the claim. Whether a file exists, and what a handler does with it, is not part
 * of a claim.
 */
export function contradiction(claim: Claim, before: Answer, after: Answer): Contradiction | null {
  return isSameDecision(claim.before, before) && isSameDecision(claim.after, after) ? null : { claim, before, after }
}

function isSameDecision(claimed: Decided, { status, challenge }: Answer): boolean {
  return refusal(claimed.status) === refusal(status) && (claimed.challenge === '') === (challenge === '')
}

/** 0 for granted requests. */
function refusal(status: number): number {
  return status === 401 || status === 403 || status === 407 || status === 500 ? status : 0
}
