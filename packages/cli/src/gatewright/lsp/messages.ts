import type { Job } from '@gatewright/language-server'

/** A job for the analyser, which answers with the same number. Jobs without a file have an empty one. */
export interface AnalyserRequest {
  readonly id: number
  readonly kind: 'catalogue' | 'check' | 'lint' | 'who' | 'migrate'
  readonly job: Job & { readonly file: string; readonly line: number }
}

export type AnalyserAnswer = { readonly id: number; readonly result: unknown } | { readonly id: number; readonly error: string }
