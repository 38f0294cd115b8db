import type { SharedRecord, SharedRecordShape } from '@gatewright/api'
import { DURATION_BOUNDS } from '@gatewright/api/status'

/** The numbers in the record of a worker: sums. */
export const ELECTED = 0
export const BUSY = 1
export const SENT = 2
export const RECEIVED = 3
export const LB_STATUS = 4
export const RETRIES = 5
/** What replaces the states of the configuration: 0 where these count, otherwise one more than their bits. */
export const STATES = 6
/** Flags: 0 where the configuration counts, 1 for no, 2 for yes. */
export const ERROR = 7
export const CHECKS_FAIL = 8
/** When it was found in error, in milliseconds since the epoch; 0 if it never was. */
export const ERROR_SINCE = 9
/** Attempts without a response of the backend. */
export const FAILURES = 10
/** Seconds of all attempts. */
export const DURATION = 11
/** Attempts by their duration: one for each of DURATION_BOUNDS, and those that took longer. */
export const DURATIONS = 12
export const NUMBERS: number = DURATIONS + DURATION_BOUNDS.length + 1

/** @param onText called when another process has replaced the texts */
export function workerShape(onText: (text: string) => void): SharedRecordShape {
  return { numbers: NUMBERS, ofProcess: [BUSY], onText }
}

/** The record of a worker that processes do not share. */
export class OwnRecord implements SharedRecord {
  readonly numbers: Float64Array = new Float64Array(NUMBERS)
  text = ''

  add(index: number, amount: number): void {
    this.numbers[index] += amount
  }

  set(index: number, value: number): void {
    this.numbers[index] = value
  }

  setText(text: string): void {
    this.text = text
  }
}
