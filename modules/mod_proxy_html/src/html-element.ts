/** What HTML 4.01 says about an element, with the usual extension `embed`. */
export interface HtmlElement {
  /** Whether it has no content and no end tag. */
  readonly empty: boolean
  readonly deprecated: boolean
  readonly attributes: ReadonlySet<string>
  readonly deprecatedAttributes: ReadonlySet<string>
  readonly requiredAttributes: ReadonlySet<string>
}

/** The element of a name in lower case; undefined for one that HTML 4.01 does not have, such as `video`. */
export function htmlElement(name: string): HtmlElement | undefined {
  return ELEMENTS.get(name)
}

const CORE = 'id class style title'
const LANGUAGE = 'lang dir'
const EVENTS = 'onclick ondblclick onmousedown onmouseup onmouseover onmouseout onkeypress onkeydown onkeyup'

/** `flags|attributes|deprecated attributes|required attributes` */
const ROWS: Readonly<Record<string, string>> = {
  a: '|%all charset type name href hreflang rel rev accesskey shape coords tabindex onfocus onblur|target',
  abbr: '|%all',
  acronym: '|%all',
  address: '|%all',
  applet: 'deprecated||%core codebase archive alt name height width align hspace vspace',
  area: 'empty|shape coords href nohref tabindex accesskey onfocus onblur|target|alt',
  b: '|%all',
  base: 'empty||target|href',
  basefont: 'empty deprecated||id size color face',
  bdo: '|%core %i18n||dir',
  big: '|%all',
  blockquote: '|%all cite',
  body: '|%all onload onunload|background bgcolor text link vlink alink',
  br: 'empty|%core|clear',
  button: '|%all name value type disabled tabindex accesskey onfocus onblur',
  caption: '|%all',
  center: 'deprecated||%all',
  cite: '|%all',
  code: '|%all',
  col: 'empty|%all span width align char charoff valign',
  colgroup: '|%all span width align char charoff valign',
  dd: '|%all',
  del: '|%all datetime cite',
  dfn: '|%all',
  dir: 'deprecated||%all compact',
  div: '|%all|align',
  dl: '|%all|compact',
  dt: '|%all',
  em: '|%all',
  embed:
    'deprecated|%core align alt border code codebase frameborder height hidden hspace name palette pluginspace pluginurl src type units vspace width',
  fieldset: '|%all',
  font: 'deprecated||%core %i18n size color face',
  form: '|%all method enctype accept name onsubmit onreset accept-charset|target|action',
  frame: 'empty||%core longdesc name src frameborder marginwidth marginheight noresize scrolling',
  frameset: '||%core rows cols onload onunload',
  h1: '|%all|align',
  h2: '|%all|align',
  h3: '|%all|align',
  h4: '|%all|align',
  h5: '|%all|align',
  h6: '|%all|align',
  head: '|%i18n profile',
  hr: 'empty|%all|align noshade size width',
  html: '|%i18n|version',
  i: '|%all',
  iframe: '||%core longdesc name src frameborder marginwidth marginheight scrolling align height width',
  img: 'empty|%all longdesc name height width usemap ismap|align|src alt',
  input:
    'empty|%all type name value checked disabled readonly size maxlength src alt usemap ismap tabindex accesskey onfocus onblur onselect onchange accept|align',
  ins: '|%all datetime cite',
  isindex: 'empty deprecated||%core %i18n prompt',
  kbd: '|%all',
  label: '|%all for accesskey onfocus onblur',
  legend: '|%all accesskey|align',
  li: '|%all',
  link: 'empty|%all charset href hreflang type rel rev media|target',
  map: '|%all||name',
  menu: 'deprecated||%all compact',
  meta: 'empty|%i18n http-equiv name scheme charset||content',
  noframes: '|%all',
  noscript: '|%all',
  object:
    '|%all declare classid codebase data type codetype archive standby height width usemap name tabindex|align border hspace vspace',
  ol: '|%all|type compact start',
  optgroup: '|%all disabled||label',
  option: '|%all disabled label selected value',
  p: '|%all|align',
  param: 'empty|id value valuetype type||name',
  pre: '|%all|width',
  q: '|%all cite',
  s: 'deprecated||%all',
  samp: '|%all',
  script: '|charset src defer event for|language|type',
  select: '|%all name size multiple disabled tabindex onfocus onblur onchange',
  small: '|%all',
  span: '|%all',
  strike: 'deprecated||%all',
  strong: '|%all',
  style: '|%i18n media title||type',
  sub: '|%all',
  sup: '|%all',
  table: '|%all summary width border frame rules cellspacing cellpadding datapagesize|align bgcolor',
  tbody: '|%all align char charoff valign',
  td: '|%all abbr axis headers scope rowspan colspan align char charoff valign|nowrap bgcolor width height',
  textarea: '|%all name disabled readonly tabindex accesskey onfocus onblur onselect onchange||rows cols',
  tfoot: '|%all align char charoff valign',
  th: '|%all abbr axis headers scope rowspan colspan align char charoff valign|nowrap bgcolor width height',
  thead: '|%all align char charoff valign',
  title: '|%i18n',
  tr: '|%all align char charoff valign|bgcolor',
  tt: '|%all',
  u: 'deprecated||%all',
  ul: '|%all|type compact',
  var: '|%all',
}

const ELEMENTS: ReadonlyMap<string, HtmlElement> = new Map(Object.entries(ROWS).map(([name, row]) => [name, elementOf(row)]))

function elementOf(row: string): HtmlElement {
  const [flags = '', attributes = '', deprecated = '', required = ''] = row.split('|')
  return {
    empty: flags.includes('empty'),
    deprecated: flags.includes('deprecated'),
    attributes: namesOf(attributes),
    deprecatedAttributes: namesOf(deprecated),
    requiredAttributes: namesOf(required),
  }
}

function namesOf(list: string): ReadonlySet<string> {
  const text = list.replace('%all', `${CORE} ${LANGUAGE} ${EVENTS}`).replace('%core', CORE).replace('%i18n', LANGUAGE)
  return new Set(text.split(' ').filter((name) => name !== ''))
}
