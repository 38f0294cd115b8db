import type { Access } from './explanation.ts'

/** Who gets an answer: a row for each user, a column for each client. */
export interface Who {
  readonly method: string
  readonly target: string
  readonly clients: readonly string[]
  readonly rows: readonly WhoRow[]
}

export interface WhoRow {
  /** Null: without credentials. */
  readonly user: string | null
  /** One for each client. */
  readonly answers: readonly { readonly status: number; readonly access: Access }[]
}
