/** Exit statuses of htdbm. */
export const HTDBM_STATUS: {
  readonly done: 0
  readonly file: 1
  readonly syntax: 2
  readonly mismatch: 3
  readonly interrupted: 4
  readonly tooLong: 5
  readonly badUser: 6
} = { done: 0, file: 1, syntax: 2, mismatch: 3, interrupted: 4, tooLong: 5, badUser: 6 }
