import type { HostServices, ModuleLog, Request } from '@gatewright/api'
import type { DavLocks, DavRepository } from '@gatewright/dav'
import type { DavConfig } from './config.ts'

/** What a method works with. */
export interface DavContext {
  readonly request: Request
  readonly repository: DavRepository
  /** Null without a lock database. */
  readonly locks: DavLocks | null
  readonly config: Readonly<DavConfig>
  readonly log: ModuleLog
  readonly services: HostServices
  /** The version of the server, for pages; see `serverSignature`. */
  readonly signature: string
}
