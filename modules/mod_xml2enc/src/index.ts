import {
  contexts,
  defineModule,
  directive,
  FILTER_RANK,
  type FilteredBody,
  type MaybePromise,
  type Module,
  type ModuleLog,
  type Request,
  type Slot,
} from '@gatewright/api'
import { sniffedCharsetOf } from '@gatewright/api/peers'
import { lenientDecoderOf, rewriteBody } from '@gatewright/filters'
import { mergeXml2encConfig, type Xml2encConfig } from './config.ts'
import { sniff, withUtf8 } from './sniff.ts'
import { startOfMarkup } from './start-of-markup.ts'
import { readHead, withHead } from './text-head.ts'
import { Translation } from './translation.ts'

const ANYWHERE = { scope: 'directory', context: contexts.anywhere, override: 'All' } as const

interface Aliases {
  /** The charset of each alias, which is in lower case. */
  aliases: ReadonlyMap<string, string>
}

/** xml2enc: translates HTML and XML to UTF-8. */
const xml2enc: Module<Xml2encConfig, Aliases> = defineModule<Xml2encConfig, Aliases>({
  name: 'xml2enc_module',
  source: 'mod_xml2enc.c',
  perDirectory: { create: () => ({}), merge: mergeXml2encConfig },
  perServer: {
    create: () => ({ aliases: new Map() }),
    merge: (base) => base,
  },
  directives: {
    xml2EncDefault: directive.take1<Xml2encConfig>({
      ...ANYWHERE,
      help: 'Usage: xml2EncDefault charset',
      set: (config, charset) => {
        if (lenientDecoderOf(charset) === null) return 'Invalid or unsupported default charset'
        config.defaultCharset = charset
        return undefined
      },
    }),
    xml2EncAlias: directive.iterate2<Aliases>({
      scope: 'server',
      context: contexts.mainServer,
      help: 'EncodingAlias charset alias [more aliases]',
      set: (config, charset, alias) => {
        config.aliases = new Map([...config.aliases, [alias.toLowerCase(), charset]])
      },
    }),
    xml2StartParse: directive.iterate<Xml2encConfig>({
      ...ANYWHERE,
      help: 'Ignore anything in front of the first of these elements',
      set: (config, element) => {
        config.starts = [...(config.starts ?? []), element.toLowerCase()]
      },
    }),
  },
  register(host) {
    const { providers, functions, log } = host
    const charsets = host.requestSlot<string>()
    functions.offer(sniffedCharsetOf, (request) => charsets.get(request) ?? null)
    providers.outputFilters.add('xml2enc', {
      name: 'xml2enc',
      rank: FILTER_RANK.resource,
      filter: (request, body) => {
        const { aliases } = host.serverConfigOf(request.server)
        return translate(request, body, { config: host.configOf(request), aliases, charsets, log })
      },
    })
  },
})
export default xml2enc

/** Text, and the types of XML by RFC 7303: formats such as Office Open XML have `xml` in their names and are archives. */
const TEXT_OR_XML = /^(?:text\/|(?:application\/xml|[^;]*\+xml)(?:;|$))/i

interface Means {
  readonly config: Readonly<Xml2encConfig>
  readonly aliases: ReadonlyMap<string, string>
  readonly charsets: Slot<Request, string>
  readonly log: ModuleLog
}

function translate(request: Request, body: FilteredBody, means: Means): MaybePromise<FilteredBody> {
  if (!TEXT_OR_XML.test(request.contentType ?? '')) return body
  if (body instanceof Uint8Array && body.length === 0) return body
  return translated(request, body, request.contentType ?? '', means)
}

async function translated(request: Request, body: FilteredBody, contentType: string, means: Means): Promise<FilteredBody> {
  const { config, log } = means
  const parts = await readHead(body, SNIFFED)
  if (parts.head.length === 0) return new Uint8Array(0)
  const { charset: found, from, head, sound } = sniff(contentType, parts.head)
  log.write(request, 'debug', 'AH01430', `Content-Type is ${contentType}`)
  if (found !== null) log.write(request, 'info', ...noteOf(found, from))
  const named = found ?? config.defaultCharset ?? 'ISO-8859-1'
  const decoder = lenientDecoderOf(means.aliases.get(named.toLowerCase()) ?? named)
  if (decoder === null) {
    log.write(request, 'error', 'AH01435', `Charset ${named} not supported.  Consider aliasing it?`)
    log.write(request, 'warn', 'AH01436', 'No usable charset information; using configuration default')
  } else means.charsets.set(request, named)
  request.contentType = withUtf8(contentType)
  request.headersOut.unset('Content-Length')
  const start = config.starts === undefined ? 0 : startOfMarkup(request, head.subarray(0, sound), config.starts, log)
  const whole = withHead(parts, head.subarray(start))
  const make = decoder ?? lenientDecoderOf(config.defaultCharset ?? 'ISO-8859-1')
  if (make === null) return whole
  const report = (): void => log.write(request, 'error', 'AH01444', 'Skipping invalid byte(s) in input stream!')
  if (!(body instanceof Uint8Array)) return rewriteBody(request, whole, new Translation(make(), report))
  const all: Uint8Array[] = []
  for await (const piece of whole) all.push(piece)
  return rewriteBody(request, Buffer.concat(all), new Translation(make(), report))
}

/** Bytes that are searched for the charset, unless there are fewer; of a larger first piece, all. */
const SNIFFED = 4096

function noteOf(charset: string, from: 'header' | 'first bytes' | 'META element' | null): [string, string] {
  if (from === 'header') return ['AH01431', `Got charset ${charset} from HTTP headers`]
  if (from === 'first bytes') return ['AH01432', 'Got charset from XML rules.']
  return ['AH01433', `Got charset ${charset} from HTML META`]
}
