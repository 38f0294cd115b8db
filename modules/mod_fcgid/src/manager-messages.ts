import type { LogLevelName } from '@gatewright/api'
import type { GlobalSettings, ProcessOptions } from './config.ts'

/** What requests of one class ask for: processes of the same program for the same server are exchangeable. All text is bytes. */
export interface ClassSpec {
  readonly key: string
  /** The path of the program. */
  readonly file: string
  readonly args: readonly string[]
  readonly environment: readonly (readonly [name: string, value: string])[]
  /** The name of the host, for a message. */
  readonly host: string
  readonly options: ProcessOptions
}

/** What a worker asks. */
export type ManagerRequest =
  | { readonly kind: 'settings'; readonly global: GlobalSettings }
  | { readonly kind: 'want'; readonly id: number; readonly spec: ClassSpec }
  /** The client of the request has gone. */
  | { readonly kind: 'cancel'; readonly id: number }
  /** A process has served its request, or it failed and is ended. */
  | { readonly kind: 'done'; readonly process: number; readonly how: 'served' | 'connect error' | 'communication error' }

/** What the manager answers. */
export type ManagerReport =
  | { readonly kind: 'process'; readonly id: number; readonly process: number; readonly path: string }
  | { readonly kind: 'none'; readonly id: number; readonly reason: string }
  /** A process that a request has was ended because it took too long. */
  | { readonly kind: 'busy'; readonly process: number }
  | { readonly kind: 'log'; readonly level: LogLevelName; readonly text: string }
  | { readonly kind: 'figures'; readonly processes: number; readonly busy: number }
