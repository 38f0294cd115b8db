import { dirname } from 'node:path'
import { configError, observedModule, servedRequest } from '@gatewright/testing'
import t from 'tap'
import { chooseListing } from '../src/client-query.ts'
import { type AutoindexConfig, createAutoindexConfig, mergeAutoindexConfig } from '../src/config.ts'
import autoindex from '../src/index.ts'
import {
  applyIndexOptions,
  FANCY,
  IGNORE_CLIENT,
  NONE,
  SUPPRESS_COLUMN_SORTING,
  SUPPRESS_SIZE,
  TABLE,
  VERSION_SORT,
} from '../src/index-options.ts'

/** The configuration of one section with these IndexOptions lines. */
function section(...lines: string[]): AutoindexConfig {
  const config = createAutoindexConfig()
  for (const line of lines) {
    const error = applyIndexOptions(config, line.split(' '))
    if (error !== undefined) throw new Error(error)
  }
  return config
}

/** Effective options of nested sections, the outermost first. */
function inForce(...sections: AutoindexConfig[]): number {
  return sections.reduce(mergeAutoindexConfig).options.set
}

t.test('options without a sign replace the inherited ones, options with a sign change them', async (t) => {
  t.equal(inForce(section('FancyIndexing'), section('HTMLTable')), TABLE)
  t.equal(inForce(section('FancyIndexing'), section('+HTMLTable')), FANCY | TABLE)
  t.equal(inForce(section('FancyIndexing HTMLTable'), section('-FancyIndexing')), TABLE)
  t.equal(inForce(section('FancyIndexing', 'HTMLTable'), section('NameWidth=40')), FANCY | TABLE)
})

t.test('an option without a sign discards preceding ones with a sign, and later ones are not inherited with it', async (t) => {
  t.strictSame(section('+SuppressSize FancyIndexing').options, { set: FANCY, add: 0, remove: 0 })
  t.strictSame(section('FancyIndexing -HTMLTable +SuppressSize').options, { set: FANCY, add: SUPPRESS_SIZE, remove: TABLE })
  t.equal(inForce(section('HTMLTable'), section('FancyIndexing +SuppressSize')), FANCY)
})

t.test('None empties the set and discards additions of outer sections', async (t) => {
  t.equal(inForce(section('FancyIndexing'), section('None')), NONE)
  t.equal(inForce(section('+VersionSort'), section('None'), section('+SuppressSize')), SUPPRESS_SIZE)
})

t.test('widths and sizes are inherited separately', async (t) => {
  const merged = mergeAutoindexConfig(
    section('NameWidth=40 IconWidth IconHeight=9 Charset=a Type=b/c DescriptionWidth=*'),
    section('-NameWidth IconWidth=7 Charset='),
  )
  t.match(merged, {
    nameWidth: { characters: 23, fit: 'fixed' },
    descriptionWidth: { characters: 23, fit: 'grow' },
    iconWidth: 7,
    iconHeight: 9,
    charset: '',
    contentType: 'b/c',
  })
  t.equal(mergeAutoindexConfig(section('UseOldDateFormat'), section('HTMLTable')).dateFormat, 'old')
  t.equal(section('-UseOldDateFormat').dateFormat, 'old', 'whatever its sign, as httpd has it')
  t.equal(mergeAutoindexConfig(section('IconWidth'), section('-IconWidth')).iconWidth, 20, 'as httpd has it')
  t.strictSame(section('NameWidth=30', 'NameWidth=*').nameWidth, { characters: 30, fit: 'grow' })
})

t.test('the nearest rule comes first, and IndexIgnoreReset discards outer rules', async (t) => {
  const outer = ['AddAlt outer .txt', 'IndexIgnore a', 'HeaderName outer.html', 'AddIcon (x,/i.gif) .txt']
  const { merged, root } = await merge(outer, ['AddAlt inner .txt', 'IndexIgnore */b', 'HeaderName inner.html'])
  t.strictSame(
    merged.alts.map(({ value, scope }) => [value, scope]),
    [
      ['inner', `${root}/docs/in/*`],
      ['outer', `${root}/docs/*`],
      ['x', `${root}/docs/*`],
    ],
  )
  t.strictSame(
    merged.ignored.map(({ pattern }) => pattern),
    ['b', 'a'],
  )
  t.equal(merged.header, 'inner.html')
  const reset = await merge(outer, ['IndexIgnoreReset On', 'IndexIgnore c'])
  t.strictSame(
    reset.merged.ignored.map(({ pattern }) => pattern),
    ['c'],
  )
})

/** The configuration of a server for a folder, with the lines of the folder around it and of its own. */
async function merge(outer: readonly string[], inner: readonly string[]): Promise<{ merged: AutoindexConfig; root: string }> {
  const observed = observedModule(autoindex)
  const sections = [
    ['<Directory "@ROOT@/docs">', ...outer, '</Directory>'],
    ['<Directory "@ROOT@/docs/in">', ...inner, '</Directory>'],
  ]
  const request = await servedRequest('/in/f', {
    modules: [observed.module],
    config: sections.flat().join('\n'),
    files: { 'docs/in/f': 'x' },
  })
  return { merged: observed.host.configOf(request), root: dirname(request.server.documentRoot) }
}

const WRONG: readonly (readonly [line: string, error: string])[] = [
  ['IndexOptions Nonsense', 'Invalid directory indexing option'],
  ['IndexOptions Charset', 'Invalid directory indexing option'],
  ['IndexOptions FancyIndexing=1', 'Invalid directory indexing option'],
  ['IndexOptions -None', "Cannot combine '+' or '-' with 'None' keyword"],
  ['IndexOptions None HTMLTable', "Cannot combine other IndexOptions keywords with 'None'"],
  ['IndexOptions NameWidth=4', 'NameWidth value must be greater than 5'],
  ['IndexOptions DescriptionWidth=11', 'DescriptionWidth value must be greater than 12'],
  ['IndexOptions -NameWidth=9', "Cannot combine '-' with NameWidth=n"],
  ['IndexOptions DescriptionWidth', "DescriptionWidth with no value may only appear as '-DescriptionWidth'"],
  ['IndexOptions -IconHeight=1', "Cannot combine '-' with IconHeight=n"],
  ['IndexOrderDefault Up Name', "First keyword must be 'Ascending' or 'Descending'"],
  ['IndexOrderDefault Descending Colour', "Second keyword must be 'Name', 'Date', 'Size', or 'Description'"],
  ['AddIcon (TXT,/x.gif .txt', 'missing closing paren'],
  ['FancyIndexing on', 'The FancyIndexing directive is no longer supported. Use IndexOptions FancyIndexing.'],
]

for (const [line, error] of WRONG) {
  t.test(`${line} is rejected`, async (t) => {
    t.equal(await configError({ modules: [autoindex], config: line }), error)
  })
}

t.test('the query chooses column, direction, format and names, up to the first unknown argument', async (t) => {
  const config = section('FancyIndexing')
  t.strictSame(chooseListing(config, 'C=S&O=D;F=2;V=1;P=*.txt'), {
    options: FANCY | TABLE | VERSION_SORT,
    column: 'S',
    direction: 'D',
    namePattern: '*.txt',
    carried: ';F=2;V=1;P=*.txt',
  })
  t.match(chooseListing(config, 'C=M;C=SS;O=D'), { column: 'M', direction: 'A' })
  t.match(chooseListing(config, 'F=0'), { options: 0, carried: ';F=0' })
  t.match(chooseListing(config, 'x=1;C=S'), { column: 'N' })
  t.match(chooseListing(config, 'P='), { namePattern: null, carried: '' })
  t.match(chooseListing(config, 'P=%3cb%3e%22'), { namePattern: '<b>"', carried: ';P=%3cb%3e%22' })
  for (const bad of ['P=%zz', 'P=%2f', 'P=%00', 'P=%4']) t.match(chooseListing(config, bad), { namePattern: null, carried: '' })
})

t.test('IgnoreClient ignores the query, and omits links with one', async (t) => {
  const config = section('FancyIndexing IgnoreClient')
  config.column = 'M'
  t.match(chooseListing(config, 'C=S;O=D'), {
    options: FANCY | IGNORE_CLIENT | SUPPRESS_COLUMN_SORTING,
    column: 'M',
    direction: 'A',
    carried: '',
  })
})
