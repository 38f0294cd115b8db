/** The drawn part of the response to `?json`. Durations in seconds, sizes in bytes, times in ISO 8601. */
export interface Status {
  readonly server: {
    readonly now: string
    readonly startedAt: string
    readonly uptime: number
    readonly generation: number
    readonly load: readonly number[]
  }
  readonly requests: {
    readonly total: number
    readonly bytes: number
    readonly inWork: number
    readonly byClass: Readonly<Record<'1xx' | '2xx' | '3xx' | '4xx' | '5xx', number>>
    readonly durations: { readonly bounds: readonly number[]; readonly counts: readonly number[] }
  }
  readonly access: { readonly granted: number; readonly refusals: readonly Refusal[] }
  readonly connections: Readonly<Record<'open' | ConnectionState, number>>
  readonly places: { readonly max: number }
  readonly cpu: { readonly user: number; readonly system: number }
  readonly workers: readonly WorkerFigures[]
}

export type ConnectionState = 'reading' | 'working' | 'writing' | 'keepAlive' | 'closing'

export interface Refusal {
  readonly outcome: 'denied' | 'challenged' | 'failed'
  readonly module: string
  readonly code: string
  readonly rule: string
  readonly count: number
}

export interface WorkerFigures {
  readonly slot: number
  readonly pid: number
  readonly generation: number
  readonly stopping: boolean
  readonly requests: number
  readonly inWork: number
  readonly connections: number
  readonly cpu: number
  readonly residentMemory: number
  readonly loopDelay: { readonly p99: number }
}
