import type { Random } from '../../fixtures/random.ts'
import { type ContentCase, placed, someOf, withHtaccess } from '../content-case.ts'

const FLAGS = [
  'FancyIndexing',
  'HTMLTable',
  'XHTML',
  'FoldersFirst',
  'IgnoreCase',
  'IconsAreLinks',
  'IconHeight',
  'IconWidth=30',
  'NameWidth=*',
  'NameWidth=12',
  'DescriptionWidth=20',
  'DescriptionWidth=*',
  'SuppressColumnSorting',
  'SuppressDescription',
  'SuppressHTMLPreamble',
  'SuppressIcon',
  'SuppressLastModified',
  'SuppressRules',
  'SuppressSize',
  'ScanHTMLTitles',
  'TrackModified',
  'VersionSort',
  'IgnoreClient',
  'ShowForbidden',
  'Charset=UTF-8',
  'Type=text/plain',
  'UseOldDateFormat',
  'AddAltClass',
] as const

const NAMES = [
  'a.txt',
  'b.html',
  'file2.txt',
  'file10.txt',
  'B.TXT',
  'x y.txt',
  'am&p.txt',
  'q"q.html',
  'long-name-that-is-longer-than-the-column.tar.gz',
  'z.gz',
  'sub/',
  'Dir/',
  '.hidden',
  '#x#',
  'core',
  'e\u00e9.txt',
  'README',
  'x:y',
  'secret/.htaccess',
] as const

/** Folder listings with all their options, orders and queries. */
export function listings(random: Random, folder: string): ContentCase {
  const lines = ['Options +Indexes', ...random.several(1, 7, () => rule(random))]
  const here = placed(random, folder, lines)
  const files: Record<string, string> = {}
  for (const name of someOf(random, NAMES, 4, 14)) {
    files[name] = name.endsWith('.html')
      ? '<html><head><TITLE>A &amp; title\n of the page</title></head></html>\n'
      : name.endsWith('/.htaccess')
        ? 'Require all denied\n'
        : 'x'.repeat(random.pick([0, 1, 10, 1023, 1024, 10_000, 1_100_000]))
  }
  if (random.percent(40)) files['HEADER.html'] = '<p>header</p>\n'
  if (random.percent(40)) files['foot.txt'] = 'foot < &\n'
  return {
    server: here.server,
    files: withHtaccess(files, here.htaccess),
    requests: [
      { target: '/' },
      ...random.several(2, 5, () => ({ target: `/${random.pick(['', '', '', 'sub/', 'sub', 'Dir/'])}${query(random)}` })),
    ],
  }
}

function query(random: Random): string {
  return random.pick([
    '',
    '?C=N;O=D',
    '?C=M;O=A',
    '?C=S;O=D',
    '?C=D;O=A',
    '?C=S',
    '?O=D',
    '?F=0',
    '?F=1',
    '?F=2',
    '?V=1',
    '?V=0',
    '?P=*.txt',
    '?P=f*',
    '?C=X;O=A',
    '?C=N&O=D',
    '?C=N;O=D;F=2;V=1',
    '?P=a%2a',
    '?junk',
    '?F=2;P=*.html',
    '?C=M;O=D;F=0',
    '?P=<b>',
  ])
}

function rule(random: Random): string {
  const flags = someOf(random, FLAGS, 1, 5)
  return random.pick([
    () => `IndexOptions ${flags.join(' ')}`,
    () => `IndexOptions FancyIndexing ${flags.join(' ')}`,
    () => `IndexOptions ${flags.map((flag) => random.pick(['+', '-', '+']) + flag).join(' ')}`,
    () => `IndexOrderDefault ${random.pick(['Ascending', 'Descending'])} ${random.pick(['Name', 'Date', 'Size', 'Description'])}`,
    () => `IndexIgnore ${random.pick(['*.txt', '.??* *~', 'README* HEADER*', 'sub', '*'])}`,
    () => 'IndexIgnoreReset On',
    () =>
      `AddIcon ${random.pick(['/i/t.gif', '(TXT,/i/t.gif)', '"/i/a b.gif"'])} ${random.pick(['.txt', '*.html', '^^DIRECTORY^^', '^^BLANKICON^^', '..', 'sub'])}`,
    () => `AddIconByType ${random.pick(['/i/t.gif', '(TXT,/i/t.gif)'])} ${random.pick(['text/*', 'text/html'])}`,
    () => `AddIconByEncoding (CMP,/i/c.gif) ${random.pick(['x-gzip', 'gzip'])}`,
    () => `AddAlt "${random.pick(['alt', 'a & b'])}" ${random.pick(['.txt', '*.gz', '^^DIRECTORY^^'])}`,
    () => `AddAltByType "t t" ${random.pick(['text/*', 'text/plain'])}`,
    () => `AddAltByEncoding "enc" gzip`,
    () =>
      `AddDescription "${random.pick(['a description', 'with bold words', 'a very long description that is cut at the width of the column'])}" ${random.pick(['*.txt', 'b.html', 'sub', '/a.txt', '*', 'file?.txt'])}`,
    () => `DefaultIcon ${random.pick(['/i/d.gif', '"/i/d d.gif"'])}`,
    () => `HeaderName ${random.pick(['HEADER.html', 'foot.txt', 'none.html', '/HEADER.html'])}`,
    () => `ReadmeName ${random.pick(['foot.txt', 'HEADER.html', '/foot.txt'])}`,
    () => `IndexStyleSheet "${random.pick(['/s.css', '/s.css?a&b'])}"`,
    () => `IndexHeadInsert "<meta name=x>"`,
    () => 'AddEncoding gzip .gz',
    () => 'AddType text/plain .txt',
    () => `AddDefaultCharset ${random.pick(['On', 'utf-8'])}`,
    () => 'ServerSignature On',
    () => `DirectorySlash ${random.pick(['On', 'Off'])}`,
  ])()
}
