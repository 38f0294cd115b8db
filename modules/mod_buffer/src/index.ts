import {
  defineModule,
  directive,
  FILTER_RANK,
  type FilteredBody,
  type InputFilter,
  type Module,
  type OutputFilter,
  type Request,
} from '@gatewright/api'
import { fullBuffers } from './full-buffers.ts'

interface BufferConfig {
  /** In bytes. */
  bufferSize?: number
}

const DEFAULT_BUFFER_SIZE = 131072

/** BUFFER: passes bodies on in pieces of a size, however their source wrote them. */
const buffer: Module<BufferConfig> = defineModule<BufferConfig>({
  name: 'buffer_module',
  source: 'mod_buffer.c',
  perDirectory: {
    create: () => ({}),
    merge: (base, over) => ({ bufferSize: over.bufferSize ?? base.bufferSize }),
  },
  directives: {
    BufferSize: directive.take1<BufferConfig>({
      scope: 'directory',
      context: ['directory'],
      help: 'Maximum size of the buffer used by the buffer filter',
      set: (config, word) => {
        const size = Number(word)
        if (!/^\+?\d+$/.test(word) || !Number.isSafeInteger(size) || size === 0) {
          return 'BufferSize must be a size in bytes, and greater than zero'
        }
        config.bufferSize = size
        return undefined
      },
    }),
  },
  register({ providers, configOf }) {
    const sizeOf = (request: Request): number => configOf(request).bufferSize ?? DEFAULT_BUFFER_SIZE
    providers.outputFilters.add('BUFFER', bufferedResponses(sizeOf))
    providers.inputFilters.add('BUFFER', bufferedRequests(sizeOf))
  },
})
export default buffer

function bufferedResponses(sizeOf: (request: Request) => number): OutputFilter {
  return {
    name: 'BUFFER',
    rank: FILTER_RANK.contentSet,
    filter: (request, body): FilteredBody | Promise<FilteredBody> => {
      if (request.main !== null || body instanceof Uint8Array) return body
      return buffered(request, body, sizeOf(request))
    },
  }
}

/** A body that fits into one buffer is sent as bytes, with its length. */
async function buffered(request: Request, body: AsyncIterable<Uint8Array>, size: number): Promise<FilteredBody> {
  const buffers = fullBuffers(body, size)
  request.onDone(() => void buffers.return(undefined))
  const first = await buffers.next()
  if (first.done === true) return new Uint8Array(0)
  return first.value.length < size ? first.value : withFirst(first.value, buffers)
}

async function* withFirst(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}

function bufferedRequests(sizeOf: (request: Request) => number): InputFilter {
  return {
    name: 'BUFFER',
    rank: FILTER_RANK.contentSet,
    filter: (request, body) => (request.main === null && request.prev === null ? fullBuffers(body, sizeOf(request)) : body),
  }
}
