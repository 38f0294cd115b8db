import type { UrlMapLine } from './url-map.ts'

/** The document type that is sent, and what it admits. */
export interface Doctype {
  /** The line before the document. */
  readonly text: string
  readonly emptyTagEnd: '>' | ' />'
  /** Which elements and attributes are dropped: none, those that HTML 4.01 does not have, deprecated ones as well. */
  readonly admits: 'all' | 'known' | 'current'
}

/** Per-directory configuration. */
export interface ProxyHtmlConfig {
  enabled: boolean
  /** Attributes with URLs by element; undefined without ProxyHTMLLinks. */
  links?: ReadonlyMap<string, ReadonlySet<string>>
  /** Attributes with scripts. */
  events?: ReadonlySet<string>
  map: readonly UrlMapLine[]
  doctype?: Doctype
  /** `*` for the charset of the document. */
  charsetOut?: string
  lowerCase: boolean
  slashes: boolean
  /** Whether the on and off settings of outer sections do not count. */
  reset: boolean
  meta: boolean
  interpolates: boolean
  extended: boolean
  stripsComments: boolean
}

export function createProxyHtmlConfig(): ProxyHtmlConfig {
  return {
    enabled: false,
    map: [],
    lowerCase: false,
    slashes: false,
    reset: false,
    meta: false,
    interpolates: false,
    extended: false,
    stripsComments: false,
  }
}

/** As in httpd, what an outer section turns on, an inner one can turn off only with `ProxyHTMLFixups reset`. */
export function mergeProxyHtmlConfig(base: Readonly<ProxyHtmlConfig>, over: Readonly<ProxyHtmlConfig>): ProxyHtmlConfig {
  const outer: Readonly<ProxyHtmlConfig> = over.reset ? createProxyHtmlConfig() : base
  return {
    enabled: outer.enabled || over.enabled,
    links: over.links ?? base.links,
    events: over.events ?? base.events,
    map: mergeMaps(base.map, over.map),
    doctype: over.doctype ?? base.doctype,
    charsetOut: over.charsetOut ?? base.charsetOut,
    lowerCase: outer.lowerCase || over.lowerCase,
    slashes: outer.slashes || over.slashes,
    reset: false,
    meta: outer.meta || over.meta,
    interpolates: outer.interpolates || over.interpolates,
    extended: outer.extended || over.extended,
    stripsComments: outer.stripsComments || over.stripsComments,
  }
}

/** If both sections have lines, those of the inner one come first, and all in reverse order, as in httpd. */
function mergeMaps(base: readonly UrlMapLine[], over: readonly UrlMapLine[]): readonly UrlMapLine[] {
  if (base.length === 0) return over
  return over.length === 0 ? base : [...over.toReversed(), ...base.toReversed()]
}
