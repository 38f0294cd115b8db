import {
  defineModule,
  FILTER_RANK,
  type FilteredBody,
  HTTP_INTERNAL_SERVER_ERROR,
  type MaybePromise,
  type Module,
  type ModuleHost,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { sniffedCharsetOf } from '@gatewright/api/peers'
import { type Encoder, encoderOf, rewriteBody } from '@gatewright/filters'
import { createProxyHtmlConfig, mergeProxyHtmlConfig, type ProxyHtmlConfig } from './config.ts'
import { directives } from './directives.ts'
import { ANY_DOCTYPE } from './doctype.ts'
import { ItemTooLong } from './html-parser.ts'
import { HtmlRewriter } from './html-rewriter.ts'
import { HtmlWriter } from './html-writer.ts'
import { metaFieldsOf } from './meta-fields.ts'
import { rulesForRequest } from './rules-for-request.ts'

/** proxy-html: rewrites links in HTML of other servers. */
const proxyHtml: Module<ProxyHtmlConfig> = defineModule<ProxyHtmlConfig>({
  name: 'proxy_html_module',
  source: 'mod_proxy_html.c',
  perDirectory: { create: createProxyHtmlConfig, merge: mergeProxyHtmlConfig },
  directives,
  register(host) {
    host.providers.outputFilters.add('proxy-html', {
      name: 'proxy-html',
      rank: FILTER_RANK.resource,
      filter: (request, body) => rewriteHtml(request, body, host),
    })
    host.hooks.insertFilter.add(
      (request) => {
        if (!host.configOf(request).enabled) return
        if (host.functions.get(sniffedCharsetOf) !== undefined) request.addOutputFilter('xml2enc')
        request.addOutputFilter('proxy-html')
      },
      { before: ['mod_filter.c'] },
    )
  },
})
export default proxyHtml

/** The longest tag, comment or script, in bytes, as in libxml2. */
const LONGEST_ITEM = 10_000_000

function rewriteHtml(
  request: Request,
  body: FilteredBody,
  host: ModuleHost<ProxyHtmlConfig, undefined>,
): MaybePromise<FilteredBody | Outcome> {
  const config = host.configOf(request)
  if (!isRewritten(request, config)) return body
  request.headersOut.unset('Content-Length')
  if (body instanceof Uint8Array && body.length === 0) return body
  const { log } = host
  const encode = chooseCharset(request, config, host)
  const doctype = config.doctype ?? ANY_DOCTYPE
  const rules = rulesForRequest(request, config.map, config.interpolates, host.services, log)
  const readMeta = (head: string): ReturnType<typeof metaFieldsOf> => {
    const meta = metaFieldsOf(head)
    for (const [name, value] of meta.fields) request.headersOut.set(name, value)
    return meta
  }
  const rewriter = new HtmlRewriter({
    writer: new HtmlWriter(request, log, config, doctype, rules, LONGEST_ITEM),
    limit: LONGEST_ITEM,
    doctype: doctype.text,
    readMeta: config.meta ? readMeta : null,
    encode,
    reportOmitted: () => log.write(request, 'error', 'AH01444', 'Skipping invalid byte(s) in input stream!'),
  })
  return rewriteBody(request, body, rewriter).catch((error: unknown) => {
    if (!(error instanceof ItemTooLong)) throw error
    log.write(request, 'error', '', `proxy-html: a tag, comment or script is longer than ${LONGEST_ITEM} bytes`)
    return HTTP_INTERNAL_SERVER_ERROR
  })
}

function isRewritten(request: Request, { links }: Readonly<ProxyHtmlConfig>): boolean {
  if (links === undefined) return false
  if (request.env.get('PROXY_HTML_FORCE') !== undefined) return true
  return request.proxyRequest !== null && /^(?:text\/html|application\/xhtml\+xml)/i.test(request.contentType ?? '')
}

/** Sets the media type, and returns the encoder of ProxyHTMLCharsetOut; null for UTF-8. */
function chooseCharset(
  request: Request,
  { charsetOut }: Readonly<ProxyHtmlConfig>,
  { functions, log }: ModuleHost<ProxyHtmlConfig, undefined>,
): Encoder | null {
  const charsetOf = functions.get(sniffedCharsetOf)
  if (charsetOf === undefined) {
    log.write(request, 'warn', 'AH01422', 'No i18n support found.  Install mod_xml2enc if required')
  }
  const charset = charsetOut === '*' ? charsetOf?.(request) : charsetOut
  const encode = charsetOf === undefined || charset === undefined || charset === null ? null : encoderOf(charset)
  request.contentType = `text/html;charset=${encode === null ? 'utf-8' : charset}`
  if (encode === null && charset !== undefined && charset !== null && charsetOf !== undefined) {
    log.write(request, 'error', 'AH01427', `xml2enc: Charset ${charset} not supported.`)
  }
  return encode
}
