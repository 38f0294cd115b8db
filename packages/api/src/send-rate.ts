/**
 * A rate at which bytes are sent.
 * @since 2.4.6
 * @suppliedByModules
 */
export interface SendRate {
  /** At least 1. */
  readonly bytesPerSecond: number
  /** Number of bytes that are sent at once before the rate applies. */
  readonly burst: number
}
