import { defineModule, FILTER_RANK, type FilteredBody, type Module, type Request } from '@gatewright/api'
import { type Rewriter, rewriteBody } from '@gatewright/filters'

/** Sends responses as data URLs of RFC 2397. */
const data: Module = defineModule({
  name: 'data_module',
  source: 'mod_data.c',
  register({ providers }) {
    providers.outputFilters.add('DATA', { name: 'DATA', rank: FILTER_RANK.resource, filter: toDataUrl })
  },
})
export default data

function toDataUrl(request: Request, body: FilteredBody): FilteredBody | Promise<FilteredBody> {
  if (request.main !== null || request.status === 304) return body
  const { headersOut, contentType } = request
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.toLowerCase().startsWith('charset='))
  request.contentType = 'text/plain'
  for (const name of ['Content-Length', 'Content-MD5', 'ETag']) headersOut.unset(name)
  const head = `data:${type}${charset === undefined ? '' : `;${charset}`};base64,`
  return rewriteBody(request, body, new Base64Writer(head), 'stream')
}

/** Writes a text, and the body in base64 after it. */
class Base64Writer implements Rewriter {
  #made: string
  #rest: Buffer = Buffer.alloc(0)

  constructor(head: string) {
    this.#made = head
  }

  *push(piece: Uint8Array): Generator<Uint8Array> {
    const bytes = Buffer.concat([this.#rest, piece])
    // Three bytes make four characters.
    const whole = bytes.length - (bytes.length % 3)
    this.#rest = bytes.subarray(whole)
    yield this.#take(bytes.toString('base64', 0, whole))
  }

  *end(): Generator<Uint8Array> {
    yield this.#take(this.#rest.toString('base64'))
  }

  #take(text: string): Buffer {
    const made = Buffer.from(this.#made + text, 'latin1')
    this.#made = ''
    return made
  }
}
