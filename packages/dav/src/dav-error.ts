import type { OsError } from '@gatewright/api'

/** A part of a 207 answer. */
export interface DavResponse {
  readonly href: string
  /** Elements `propstat` as text; '' for none. */
  readonly propstat: string
  /** The status; 0 for none. */
  readonly status: number
  /** A text for people; '' for none. */
  readonly description: string
}

/** The failure of an operation, with what led to it. Each text is a line of the error log. */
export class DavError extends Error {
  /** Identifies the class, see {@link isDavError}. */
  override readonly name = 'DavError'
  readonly status: number
  /** The number of the error in mod_dav; 0 for none. */
  readonly id: number
  readonly code: string
  readonly osError: OsError | Error | undefined
  readonly before: DavError | null
  /** The parts of an answer that names other resources. */
  readonly responses: readonly DavResponse[]

  constructor(
    status: number,
    text: string,
    more: {
      readonly id?: number
      readonly code?: string
      readonly osError?: OsError | Error
      readonly before?: DavError | null
      readonly responses?: readonly DavResponse[]
    } = {},
  ) {
    super(text)
    this.status = status
    this.id = more.id ?? 0
    this.code = more.code ?? ''
    this.osError = more.osError
    this.before = more.before ?? null
    this.responses = more.responses ?? more.before?.responses ?? []
  }
}

/** Works for errors of other copies of this package. */
export function isDavError(error: unknown): error is DavError {
  return error instanceof Error && error.name === 'DavError' && 'responses' in error && 'status' in error
}
