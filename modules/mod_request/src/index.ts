import {
  BodyRefused,
  DECLINED,
  defineModule,
  directive,
  FILTER_RANK,
  HTTP_REQUEST_ENTITY_TOO_LARGE,
  type InputFilter,
  type Module,
  type ModuleLog,
  type Outcome,
  type Request,
} from '@gatewright/api'

interface RequestConfig {
  /** In bytes; 0 keeps none. */
  keptBodySize?: number
}

/** Keeps the bodies of requests for those that read them later: sub-requests, and requests to which one is redirected. */
const request: Module<RequestConfig> = defineModule<RequestConfig>({
  name: 'request_module',
  source: 'mod_request.c',
  perDirectory: {
    create: () => ({}),
    merge: (base, over) => ({ keptBodySize: over.keptBodySize ?? base.keptBodySize }),
  },
  directives: {
    KeptBodySize: directive.take1({
      scope: 'directory',
      context: ['directory'],
      help: 'Maximum size of request bodies kept aside for use by filters',
      set: (config, word) => {
        const size = Number(word)
        if (!/^\d+$/.test(word) || !Number.isSafeInteger(size)) return 'KeptBodySize must be a valid size in bytes, or zero.'
        config.keptBodySize = size
        return undefined
      },
    }),
  },
  register({ hooks, configOf, log }) {
    /** 0 for a request whose body has been kept already, and for one without. */
    const limitOf = (request: Request): number =>
      request.main === null && request.keptBody === null ? (configOf(request).keptBodySize ?? 0) : 0
    hooks.insertFilter.add((request) => {
      const limit = limitOf(request)
      if (limit > 0) request.addInputFilter(keptBody(limit, log))
    })
    // A handler that does not read the body discards it, and no filter sees that.
    hooks.handler.add(
      (request) => {
        const limit = limitOf(request)
        const length = limit === 0 ? 0 : Number(request.headersIn.get('Content-Length') ?? 0)
        if (length <= limit || request.headersIn.has('Transfer-Encoding')) return DECLINED
        tooLong(request, log, { code: 'AH01412', length, limit })
        return HTTP_REQUEST_ENTITY_TOO_LARGE
      },
      { rank: 'really-first' },
    )
    // No other handler answers: that of files discards the body, which filters of the response may want.
    hooks.handler.add((request) => (limitOf(request) > 0 && request.fileInfo?.kind === 'file' ? readAll(request) : DECLINED), {
      rank: 'last',
    })
  },
})
export default request

async function readAll(request: Request): Promise<Outcome> {
  for await (const _ of request.readBody());
  return DECLINED
}

/** Keeps a body while it is read. One that exceeds the limit is refused. */
function keptBody(limit: number, log: ModuleLog): InputFilter {
  return {
    name: 'KEEP_BODY',
    rank: FILTER_RANK.resource,
    async *filter(request, body) {
      const kept: Buffer[] = []
      let length = 0
      for await (const chunk of body) {
        length += chunk.length
        if (length > limit) {
          tooLong(request, log, { code: 'AH01413', length, limit: 0 })
          throw new BodyRefused('the body is longer than KeptBodySize', HTTP_REQUEST_ENTITY_TOO_LARGE)
        }
        kept.push(Buffer.from(chunk))
        yield chunk
      }
      request.keptBody = Buffer.concat(kept, length)
    },
  }
}

interface Excess {
  readonly code: string
  readonly length: number
  /** As httpd shows it: of a body in chunks, what was left of the limit. */
  readonly limit: number
}

function tooLong(request: Request, log: ModuleLog, { code, length, limit }: Excess): void {
  log.write(request, 'error', code, `Requested content-length of ${length} is larger than the configured limit of ${limit}`)
}
