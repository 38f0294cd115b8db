import {
  contexts,
  DECLINED,
  defineModule,
  directive,
  HTTP_METHOD_NOT_ALLOWED,
  type Module,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { httpDate } from '@gatewright/api/text'

interface ReflectorConfig {
  /** Names of response fields, by the names of request fields in lower case. */
  readonly headers: ReadonlyMap<string, string>
}

/** Sends the body of a request back. */
const reflector: Module<{ headers: Map<string, string> }> = defineModule<{ headers: Map<string, string> }>({
  name: 'reflector_module',
  source: 'mod_reflector.c',
  perDirectory: {
    create: () => ({ headers: new Map() }),
    merge: (base, over) => ({ headers: new Map([...base.headers, ...over.headers]) }),
  },
  directives: {
    ReflectorHeader: directive.take12<{ headers: Map<string, string> }>({
      scope: 'directory',
      context: contexts.anywhere,
      override: 'Options',
      help: 'Header to reflect back in the response, with an optional new name.',
      set: ({ headers }, name, newName) => {
        headers.set(name.toLowerCase(), newName ?? name)
      },
    }),
  },
  register({ hooks, configOf }) {
    hooks.handler.add((request) => (request.handler === 'reflector' ? reflect(request, configOf(request)) : DECLINED))
  },
})
export default reflector

async function reflect(request: Request, { headers }: Readonly<ReflectorConfig>): Promise<Outcome> {
  request.allowed = new Set(['POST', 'OPTIONS'])
  if (request.method === 'OPTIONS') {
    const trace = request.server.traceMethod === 'off' ? '' : ',TRACE'
    request.headersOut.set('Allow', `OPTIONS,POST${trace}`)
    return request.respond('')
  }
  if (request.method !== 'POST') return HTTP_METHOD_NOT_ALLOWED
  const { headersIn, headersOut } = request
  for (const [name, newName] of headers) {
    const value = headersIn.get(name)
    if (value !== undefined) headersOut.set(newName, value)
  }
  const type = headersIn.get('Content-Type')
  if (type !== undefined) request.contentType = type
  headersOut.set('Last-Modified', httpDate(Date.now()))
  headersOut.set('Accept-Ranges', 'bytes')
  // A body that is refused at its beginning is answered with the status.
  const body = request.readBody()[Symbol.asyncIterator]()
  const first = await body.next()
  // The body of the request has time limits.
  request.limitsItsTime = true
  return request.respond(first.done === true ? '' : chunksFrom(first.value, body))
}

/** A chunk is valid until the next one is requested, and the host sends it before. */
async function* chunksFrom(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let chunk = first; ; ) {
    yield chunk
    const next = await rest.next()
    if (next.done === true) return
    chunk = next.value
  }
}
