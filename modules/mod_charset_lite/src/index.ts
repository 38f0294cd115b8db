import {
  BodyRefused,
  contexts,
  defineModule,
  directive,
  FILTER_RANK,
  type FilteredBody,
  HTTP_BAD_REQUEST,
  HTTP_INTERNAL_SERVER_ERROR,
  type MaybePromise,
  type Module,
  type ModuleLog,
  type Outcome,
  type Request,
} from '@gatewright/api'
import {
  CharsetError,
  CharsetRewriter,
  decoderOf,
  encoderOf,
  forgetLengthAndTag,
  rewriteBody,
  rewriteRequestBody,
} from '@gatewright/filters'
import { type CharsetConfig, mergeCharsetConfig } from './config.ts'

const ANYWHERE = { scope: 'directory', context: contexts.anywhere, override: 'FileInfo' } as const

/** XLATEOUT and XLATEIN: translate the charsets of responses and requests. */
const charsetLite: Module<CharsetConfig> = defineModule<CharsetConfig>({
  name: 'charset_lite_module',
  source: 'mod_charset_lite.c',
  perDirectory: { create: () => ({}), merge: mergeCharsetConfig },
  directives: {
    CharsetSourceEnc: directive.take1<CharsetConfig>({
      ...ANYWHERE,
      help: 'source (html,cgi,ssi) file charset',
      set: (config, charset) => {
        config.source = charset
      },
    }),
    CharsetDefault: directive.take1<CharsetConfig>({
      ...ANYWHERE,
      help: 'name of default charset',
      set: (config, charset) => {
        config.translated = charset
      },
    }),
    CharsetOptions: directive.iterate<CharsetConfig>({
      ...ANYWHERE,
      help: 'valid options: ImplicitAdd, NoImplicitAdd, TranslateAllMimeTypes, NoTranslateAllMimeTypes',
      set: (config, word) => {
        switch (word.toLowerCase()) {
          case 'implicitadd':
            config.implicitAdd = true
            return undefined
          case 'noimplicitadd':
            config.implicitAdd = false
            return undefined
          case 'translateallmimetypes':
            config.allTypes = true
            return undefined
          case 'notranslateallmimetypes':
            config.allTypes = false
            return undefined
          default:
            return `Invalid CharsetOptions option: ${word}`
        }
      },
    }),
  },
  register({ hooks, providers, configOf, log }) {
    providers.outputFilters.add('XLATEOUT', {
      name: 'XLATEOUT',
      rank: FILTER_RANK.resource,
      filter: (request, body) => translateResponse(request, body, configOf(request), log),
    })
    providers.inputFilters.add('XLATEIN', {
      name: 'XLATEIN',
      rank: FILTER_RANK.resource,
      filter: (request, body) => translateRequest(request, body, configOf(request), log),
    })
    hooks.insertFilter.add((request) => {
      const config = configOf(request)
      if (config.implicitAdd === false || !translates(config)) return
      request.addOutputFilter('XLATEOUT')
      request.addInputFilter('XLATEIN')
    })
  },
})
export default charsetLite

const INVALID = { code: 22, text: 'Invalid argument' }

/** A character is not valid in its charset, or not available in the other one. */
function report(request: Request, log: ModuleLog): void {
  log.write(request, 'error', 'AH02997', 'AH02198: xlate filter - returning error', INVALID)
}

type Translating = Readonly<CharsetConfig> & { readonly source: string; readonly translated: string }

function translates(config: Readonly<CharsetConfig>): config is Translating {
  const { source, translated } = config
  return source !== undefined && translated !== undefined && source.toLowerCase() !== translated.toLowerCase()
}

/** Makes the rewriter; null if a charset is unknown, which is logged. */
function rewriter(request: Request, from: string, to: string, log: ModuleLog): CharsetRewriter | null {
  const decoder = decoderOf(from)
  const encoder = encoderOf(to)
  if (decoder !== null && encoder !== null) return new CharsetRewriter(decoder(), encoder)
  log.write(request, 'error', 'AH01453', `can't open translation ${from}->${to}`, INVALID)
  return null
}

function translateResponse(
  request: Request,
  body: FilteredBody,
  config: Readonly<CharsetConfig>,
  log: ModuleLog,
): MaybePromise<FilteredBody | Outcome> {
  if (!translates(config)) return body
  const type = request.contentType?.toLowerCase() ?? null
  const isText = type !== null && (type.startsWith('text/') || type.startsWith('message/'))
  if (!isText && (config.allTypes !== true || type === null)) return body
  const translator = rewriter(request, config.source, config.translated, log)
  if (translator === null) return body
  forgetLengthAndTag(request)
  return rewriteBody(request, body, translator, 'stream').catch((error: unknown) => {
    if (!(error instanceof CharsetError)) throw error
    report(request, log)
    return HTTP_INTERNAL_SERVER_ERROR
  })
}

async function* translatedBody(
  request: Request,
  body: AsyncIterable<Uint8Array>,
  translator: CharsetRewriter,
  log: ModuleLog,
): AsyncGenerator<Uint8Array> {
  try {
    yield* rewriteRequestBody(request, body, translator)
  } catch (error) {
    if (!(error instanceof CharsetError)) throw error
    report(request, log)
    throw new BodyRefused('the body cannot be translated', HTTP_BAD_REQUEST)
  }
}

function translateRequest(
  request: Request,
  body: AsyncIterable<Uint8Array>,
  config: Readonly<CharsetConfig>,
  log: ModuleLog,
): AsyncIterable<Uint8Array> {
  if (!translates(config)) return body
  const translator = rewriter(request, config.translated, config.source, log)
  if (translator === null) return body
  request.headersIn.delete('Content-Length')
  return translatedBody(request, body, translator, log)
}
