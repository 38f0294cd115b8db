import type { Random } from '../fixtures/random.ts'

const ELEMENTS =
  'a abbr address applet b big blockquote body br button caption center col colgroup dd div dl dt em fieldset font form frame h1 h2 head hr i iframe img input label legend li link map menu meta noframes noscript ol optgroup option p param pre s select small span strong table tbody td textarea tfoot th thead title tr tt u ul var video article BR Table foo x-y'.split(
    ' ',
  )

const TEXTS: readonly string[] = [
  ...[
    'x',
    ' ',
    '\n',
    'a b',
    '  ',
    '&amp;',
    '&nbsp;',
    '&lt',
    '&foo;',
    '&',
    '&#65;',
    '&#x42;',
    '&#0;',
    '&copy=1',
    '\xe9',
    '"',
    "'",
  ],
  ...['< ', '>', '=', '/', '<1>', '<!x>', '<!-- /a/ -->', '<!---->', '<?php a?>', '<?>', '</>', '</ x>', '<!DOCTYPE html>'],
]

const ATTRIBUTES: readonly string[] = [
  ...['href="/a/b?c&amp;d"', 'href=/A/y', "src='/b/q\"r'", 'src=http://app.test/a/', 'class', 'id = Z', '="q"', '"', 'HREF=/a/'],
  ...['onclick="f(&quot;/a/&quot;)"', 'a:b=c', 'a/b', '/', 'x=&lt', 't="<>"', '1=2', 'align=left', 'alt=x', 'title="\\A"'],
]

/** A document of random shape: tags that match or not, attributes of every form, text with references, and what is no HTML. */
export function randomDocument(random: Random): string {
  const start = random.pick(['', '<!DOCTYPE html>\n<html><head></head><body>', '<html>', '<body>', '  ', '<!-- k -->', '<p>'])
  const items = random.several(1, random.pick([4, 8, 20]), () => item(random))
  // What a document ends in the middle of depends on how it arrives.
  return `${start}${items.join('')}${random.pick([' the end', '</body></html>\n', '<p>end</p>'])}`
}

function item(random: Random): string {
  if (random.percent(40)) return startTag(random)
  if (random.percent(40)) return `</${random.pick(ELEMENTS)}${random.pick(['>', '>', ' >', ' x>'])}`
  if (random.percent(8)) {
    const name = random.pick(['script', 'style'])
    return `<${name}>${random.pick(['a<b', '</p>/a/x', '"/a/"', '', '&amp;'])}</${name}>`
  }
  return random.pick(TEXTS)
}

function startTag(random: Random): string {
  const attributes = random.percent(50)
    ? []
    : random.several(1, 3, () => `${random.pick([' ', '\n', '  '])}${random.pick(ATTRIBUTES)}`)
  return `<${random.pick(ELEMENTS)}${attributes.join('')}${random.pick(['>', '>', '>', '/>', ' />'])}`
}

/** Directives of mod_proxy_html that both servers follow alike; texts in scripts are replaced by ones of the same length. */
export function randomDirectives(random: Random): string[] {
  const lines = random.several(0, 3, () =>
    random.pick([
      'ProxyHTMLURLMap /a/ /z/',
      'ProxyHTMLURLMap http://app.test/ /app/ ec',
      'ProxyHTMLURLMap /b/ /y/ h',
      'ProxyHTMLURLMap "^/(.)/(.*)" "/$2/$1" Rec',
      'ProxyHTMLURLMap "(?:/a|/b)/" "/$0" Relc',
      'ProxyHTMLURLMap /A /Q "" ""',
    ]),
  )
  const doctype = random.pick([
    '',
    '',
    'HTML',
    'XHTML',
    'HTML Legacy',
    'XHTML Legacy',
    '"<!DOCTYPE html>"',
    '"<!DOCTYPE html>" XML',
  ])
  if (doctype !== '') lines.push(`ProxyHTMLDoctype ${doctype}`)
  if (random.percent(30)) lines.push(`ProxyHTMLFixups ${random.pick(['lowercase', 'dospath', 'lowercase dospath'])}`)
  if (random.percent(30)) lines.push('ProxyHTMLStripComments On')
  // With comments, httpd's ProxyHTMLExtended moves text.
  if (lines.at(-1) === 'ProxyHTMLStripComments On') lines.push(`ProxyHTMLExtended ${random.pick(['On', 'Off'])}`)
  if (random.percent(20)) lines.push(`ProxyHTMLCharsetOut ${random.pick(['ISO-8859-15', '*', 'utf-8'])}`)
  return lines
}
