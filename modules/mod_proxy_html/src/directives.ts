import { type DirectiveTable, directive } from '@gatewright/api'
import type { ProxyHtmlConfig } from './config.ts'
import { doctypeOf } from './doctype.ts'
import { parseUrlMapLine } from './url-map-line.ts'

const IN_SECTIONS = { scope: 'directory', context: ['server', 'virtualhost', 'directory'] } as const

export const directives: DirectiveTable<ProxyHtmlConfig, undefined> = {
  ProxyHTMLEvents: directive.iterate<ProxyHtmlConfig>({
    ...IN_SECTIONS,
    help: 'Strings to be treated as scripting events',
    set: (config, name) => {
      config.events = new Set([...(config.events ?? []), name])
    },
  }),
  ProxyHTMLLinks: directive.iterate2<ProxyHtmlConfig>({
    ...IN_SECTIONS,
    help: 'Declare HTML Attributes',
    set: (config, element, attribute) => {
      const attributes = new Set([...(config.links?.get(element) ?? []), attribute])
      config.links = new Map([...(config.links ?? []), [element, attributes]])
    },
  }),
  ProxyHTMLURLMap: directive.raw<ProxyHtmlConfig>({
    ...IN_SECTIONS,
    help: 'Map URL From To',
    set: (config, text, command) => {
      const line = parseUrlMapLine(text, command)
      if (typeof line === 'string') return line
      config.map = [...config.map, line]
      return undefined
    },
  }),
  ProxyHTMLDoctype: directive.take12<ProxyHtmlConfig>({
    ...IN_SECTIONS,
    help: '(HTML|XHTML) [Legacy]',
    set: (config, word, second) => {
      config.doctype = doctypeOf(word, second)
    },
  }),
  ProxyHTMLFixups: directive.iterate<ProxyHtmlConfig>({
    ...IN_SECTIONS,
    help: 'Options are lowercase, dospath',
    set: (config, word) => {
      if (word === 'lowercase') config.lowerCase = true
      else if (word === 'dospath') config.slashes = true
      else if (word === 'reset') config.reset = true
    },
  }),
  ProxyHTMLMeta: directive.flag<ProxyHtmlConfig>({
    ...IN_SECTIONS,
    help: 'Fix META http-equiv elements',
    set: (config, on) => {
      config.meta = on
    },
  }),
  ProxyHTMLInterp: directive.flag<ProxyHtmlConfig>({
    ...IN_SECTIONS,
    help: 'Support interpolation and conditions in URLMaps',
    set: (config, on) => {
      config.interpolates = on
    },
  }),
  ProxyHTMLExtended: directive.flag<ProxyHtmlConfig>({
    ...IN_SECTIONS,
    help: 'Map URLs in Javascript and CSS',
    set: (config, on) => {
      config.extended = on
    },
  }),
  ProxyHTMLStripComments: directive.flag<ProxyHtmlConfig>({
    ...IN_SECTIONS,
    help: 'Strip out comments',
    set: (config, on) => {
      config.stripsComments = on
    },
  }),
  ProxyHTMLBufSize: directive.take1<ProxyHtmlConfig>({
    ...IN_SECTIONS,
    help: 'Buffer size',
    effect: 'none',
    set: (_config, size) =>
      /^\s*[+-]?\d+$/.test(size) ? undefined : 'Invalid value for directive ProxyHTMLBufSize, expected integer',
  }),
  ProxyHTMLCharsetOut: directive.take1<ProxyHtmlConfig>({
    ...IN_SECTIONS,
    help: 'Usage: ProxyHTMLCharsetOut charset',
    set: (config, charset) => {
      config.charsetOut = charset
    },
  }),
  ProxyHTMLEnable: directive.flag<ProxyHtmlConfig>({
    ...IN_SECTIONS,
    help: 'Enable proxy-html and xml2enc filters',
    set: (config, on) => {
      config.enabled = on
    },
  }),
}
