import { type MaybePromise, OK, type Outcome } from '@gatewright/api'
import { answerWithoutFile } from '../lifecycle/answer-without-file.ts'
import { translateToDocumentRoot } from '../lifecycle/document-root.ts'
import { overrideType } from '../lifecycle/override-type.ts'
import { RequestRecord } from '../model/request-record.ts'
import type { HookRegistry } from '../modules/hook-registry.ts'
import type { LoadedModule } from '../modules/registry.ts'
import type { CoreLog } from '../services/error-log.ts'

/** Registers core's functions in the hooks of requests; they run first or last, around those of the modules. */
export function registerCoreHooks(
  hooks: HookRegistry,
  core: LoadedModule,
  { log, httpLog }: { readonly log: CoreLog; readonly httpLog: CoreLog },
  map: (request: RequestRecord) => MaybePromise<Outcome>,
): void {
  const { lists } = hooks
  lists.translateName
    .bind(core)
    .add((request) => translateToDocumentRoot(RequestRecord.of(request), log), { rank: 'really-last' })
  lists.mapToStorage.bind(core).add((request) => answerWithoutFile(RequestRecord.of(request), httpLog), { rank: 'really-first' })
  lists.mapToStorage.bind(core).add((request) => map(RequestRecord.of(request)), { rank: 'really-last' })
  lists.typeChecker.bind(core).add(() => OK, { rank: 'really-last' })
  lists.fixups.bind(core).add((request) => overrideType(RequestRecord.of(request), log), { rank: 'really-first' })
}
