/** Whether the tag of a new element ends an open one whose end tag was left out, as `<li>` ends another `li`. */
export function endsOpenElement(fresh: string, open: string): boolean {
  return ENDED_BY.get(fresh)?.has(open) ?? false
}

/** How much of the structure the end tag of an element may close: one never closes an element of a higher rank. */
export function rankOfEndTag(name: string): number {
  return RANKS[name] ?? 100
}

const RANKS: Readonly<Record<string, number>> = {
  div: 150,
  td: 160,
  th: 160,
  tr: 170,
  thead: 180,
  tbody: 180,
  tfoot: 180,
  table: 190,
  head: 200,
  body: 200,
  html: 220,
}

/** New elements, and the open elements that each of them ends. */
const ROWS: readonly (readonly [string, string])[] = [
  ['a', 'a head'],
  [
    'abbr acronym b bdo big br cite code dfn em font i iframe img kbd map q s samp small span strike strong sub sup tt u var',
    'head',
  ],
  ['blockquote dir div h1 h2 h3 h4 h5 h6 hr', 'head p'],
  ['address menu ol pre', 'head p ul'],
  ['fieldset', 'a h1 h2 h3 h4 h5 h6 head legend p pre'],
  ['table', 'a h1 h2 h3 h4 h5 h6 head p pre'],
  ['td th', 'a b font i p span td th u'],
  ['dd dl', 'address dir dt head menu p pre'],
  ['dt', 'address dd dir head menu p pre'],
  ['form', 'address dir dl form h1 h2 h3 h4 h5 h6 head menu ol p pre ul'],
  ['li', 'address dl h1 h2 h3 h4 h5 h6 head li p pre'],
  ['ul', 'address dir head menu ol p pre'],
  ['center', 'b font head i p'],
  ['p', 'b big h1 h2 h3 h4 h5 h6 head i p s small strike tt u'],
  ['col', 'caption p'],
  ['colgroup', 'caption colgroup p'],
  ['tbody', 'caption colgroup p tbody td tfoot th thead tr'],
  ['tfoot', 'caption colgroup p tbody td th thead tr'],
  ['thead', 'caption colgroup'],
  ['tr', 'caption colgroup p td th tr'],
  ['frameset', 'head p title'],
  ['optgroup option', 'option'],
  ['caption title head', 'p'],
  ['body', 'head p title'],
]

const ENDED_BY: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  ROWS.flatMap(([fresh, open]) =>
    fresh.split(' ').map((name): [string, ReadonlySet<string>] => [name, new Set(open.split(' '))]),
  ),
)
