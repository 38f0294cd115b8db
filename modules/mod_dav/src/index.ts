import { DECLINED, defineModule, httpStatus, type Module, type Outcome, type Request } from '@gatewright/api'
import { davFileSystem } from '@gatewright/dav'
import { type DavConfig, mergeDavConfig } from './config.ts'
import type { DavContext } from './context.ts'
import { copyOrMove } from './copy-move.ts'
import { directives } from './directives.ts'
import { makeCollection, options, put, remove } from './file-methods.ts'
import { lock, unlock } from './lock-methods.ts'
import { propfind } from './propfind.ts'
import { proppatch } from './proppatch.ts'
import { readDocument } from './read-document.ts'

const HANDLER = 'dav-handler'

/** The methods of WebDAV. */
const METHODS: Readonly<
  Record<string, (context: DavContext, isDavPlace: (request: Request) => boolean) => Outcome | Promise<Outcome>>
> = {
  OPTIONS: options,
  PUT: put,
  DELETE: remove,
  MKCOL: makeCollection,
  PROPFIND: propfind,
  PROPPATCH: proppatch,
  COPY: (context, isDavPlace) => copyOrMove(context, 'COPY', isDavPlace),
  MOVE: (context, isDavPlace) => copyOrMove(context, 'MOVE', isDavPlace),
  LOCK: lock,
  UNLOCK: unlock,
  REPORT: report,
}

/** WebDAV, class 1 and 2 of RFC 4918. */
const dav: Module<DavConfig> = defineModule<DavConfig>({
  name: 'dav_module',
  source: 'mod_dav.c',
  perDirectory: { create: () => ({}), merge: mergeDavConfig },
  directives,
  register({ hooks, functions, services, configOf, log }) {
    const isDavPlace = (request: Request): boolean => (configOf(request).provider ?? null) !== null
    hooks.fixups.add((request) => {
      // GET and POST are answered as without mod_dav.
      if (!isDavPlace(request) || request.method === 'GET' || request.method === 'HEAD' || request.method === 'POST')
        return DECLINED
      request.handler = HANDLER
      return DECLINED
    })
    hooks.handler.add((request) => {
      if (request.handler !== HANDLER) return DECLINED
      const method = METHODS[request.method]
      const provider = functions.get(davFileSystem)?.()
      if (method === undefined || provider === undefined || !Object.hasOwn(METHODS, request.method)) return DECLINED
      const context: DavContext = {
        request,
        repository: provider.repository,
        locks: provider.locks(request.server),
        config: configOf(request),
        log,
        services,
        signature: services.serverSignature(request, '<hr />\n'),
      }
      return method(context, isDavPlace)
    })
  },
})
export default dav

/** No reports are known: only what every server checks first. */
async function report(context: DavContext): Promise<Outcome> {
  const document = await readDocument(context)
  if (typeof document === 'number') return httpStatus(document)
  if (document !== null) return DECLINED
  context.log.write(context.request, 'error', 'AH00614', 'The request body must specify a report.')
  return httpStatus(400)
}
