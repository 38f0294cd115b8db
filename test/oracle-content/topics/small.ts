import type { Random } from '../../fixtures/random.ts'
import { type ContentCase, placed, someOf, withHtaccess } from '../content-case.ts'

/** Maps of images, spelling, cookies that track, texts with heads, and executable pages. */
export function small(random: Random, folder: string): ContentCase {
  return random.pick([images, spelling, heads, pages])(random, folder)
}

function images(random: Random, folder: string): ContentCase {
  const here = placed(random, folder, [
    'AddHandler imap-file .map',
    ...random.several(0, 3, () =>
      random.pick([
        `ImapMenu ${random.pick(['none', 'formatted', 'semiformatted', 'unformatted'])}`,
        `ImapDefault ${random.pick(['error', 'nocontent', 'map', 'referer', 'http://d.example/', '/d'])}`,
        `ImapBase ${random.pick(['map', 'referer', 'http://b.example/x/y'])}`,
      ]),
    ),
  ])
  const line = (): string =>
    random.pick([
      'default http://d.example/',
      'default nocontent',
      'base http://b.example/dir/',
      'base referer',
      'rect /r.html "The rect" 0,0 10,10',
      'rect r.html 0,0 10,10',
      'circle ../c.html 50,50 60,50',
      'poly http://p.example/ "A poly" 0,20 20,20 20,40 0,40',
      'point /pt 90,90',
      'point other 5,95',
      '# comment',
      '',
      'rect map 30,30 40,40',
      'circle error 70,70 75,70',
      'rect #frag 80,0 90,10',
      'poly x 1,1',
      'rect "q q" 1,1 2,2',
      'bogus line',
      'rect "/quoted" (12,12) (14,14)',
      'rect mailto:a@b 15,0 18,3',
    ])
  return {
    server: here.server,
    files: withHtaccess(
      { 'x.map': `${random.several(1, 9, line).join('\n')}\n`, 'sub/y.map': `${random.several(1, 5, line).join('\n')}\n` },
      here.htaccess,
    ),
    requests: random.several(5, 9, () => ({
      target: `/${random.pick(['x.map', 'x.map', 'sub/y.map', 'x.map/info'])}${random.pick(['', '?', '?5,5', '?50,52', '?10,30', '?90,91', '?0,0', '?35,35', '?70,70', '?85,5', '?13,13', '?x,y', '?5', '?1,1,1', '?-5,3', '?17,2'])}`,
      ...(random.percent(40)
        ? { headers: { Referer: random.pick(['http://r.example/a/b', 'rubbish', 'http://r.example']) } }
        : {}),
    })),
  }
}

function spelling(random: Random, folder: string): ContentCase {
  const here = placed(random, folder, [
    'CheckSpelling On',
    ...random.several(0, 2, () =>
      random.pick([
        'CheckCaseOnly On',
        'CheckCaseOnly Off',
        'CheckBasenameMatch Off',
        'CheckBasenameMatch On',
        'CheckSpelling Off',
      ]),
    ),
  ])
  const names = [
    'page.html',
    'Page.html',
    'pgae.txt',
    'pages.html',
    'other.html',
    'sub/deep.html',
    'SUB2/x.html',
    'pag.html',
    'a b.html',
  ]
  const files = Object.fromEntries(someOf(random, names, 3, 8).map((name) => [name, `${name}\n`]))
  return {
    server: here.server,
    files: withHtaccess(files, here.htaccess),
    requests: random.several(5, 8, () => ({
      method: random.pick(['GET', 'GET', 'HEAD', 'POST']),
      target: random.pick([
        '/page.htm',
        '/PAGE.HTML',
        '/pgae.html',
        '/pagee.html',
        '/oter.html',
        '/sub/depe.html',
        '/Sub/deep.html',
        '/sub2/x.html',
        '/page',
        '/pxge.html?q=1',
        '/a%20c.html',
        '/zzz',
        '/page.html/info',
        '/pag.htmll',
        '/other.txt',
      ]),
      ...(random.percent(30) ? { headers: { Referer: 'http://r.example/x' } } : {}),
    })),
  }
}

function heads(random: Random, folder: string): ContentCase {
  const here = placed(random, folder, [
    'AddHandler send-as-is .asis',
    ...random.several(0, 2, () =>
      random.pick([
        'Header set X-A b',
        'ExpiresActive On',
        'AddType text/plain .asis',
        'SetOutputFilter DEFLATE',
        'AddDefaultCharset On',
      ]),
    ),
  ])
  const head = (): string =>
    `${random
      .several(0, 5, () =>
        random.pick([
          'Status: 404 Gone away',
          'Status: 301 Moved',
          'Location: http://x.example/',
          'Location: /f.txt',
          'Content-Type: text/html',
          'X-A: 1',
          'X-A: 2',
          'Set-Cookie: a=b',
          'Set-Cookie: c=d',
          'Warning: x',
          'ETag: "own"',
          'Last-Modified: Sat, 01 Jan 2000 00:00:00 GMT',
          'Status: 200',
          'Status: x',
          'no colon here',
          'Status: 204 None',
          'Status: 304 Same',
          'Date: x',
          'Server: y',
          'Connection: close',
        ]),
      )
      .join(random.pick(['\n', '\r\n']))}`
  const file = (): string => `${head()}${random.pick(['\n\nbody\n', '\r\n\r\nbody', '\n\n', '', '\n'])}`
  return {
    server: here.server,
    files: withHtaccess({ 'a.asis': file(), 'b.asis': file(), 'f.txt': 'f\n' }, here.htaccess),
    requests: random.several(4, 7, () => ({
      method: random.pick(['GET', 'GET', 'HEAD', 'POST']),
      target: random.pick(['/a.asis', '/b.asis', '/a.asis/x', '/a.asis?q']),
      headers: random.pick<Record<string, string>>([{}, {}, { 'If-None-Match': '*' }, { Range: 'bytes=0-1' }]),
    })),
  }
}

function pages(random: Random, folder: string): ContentCase {
  const here = placed(random, folder, [
    'Options +Includes',
    'AddType text/html .shtml',
    ...someOf(
      random,
      [
        'AddOutputFilter INCLUDES .shtml',
        'AddHandler server-parsed .shtml',
        'XBitHack On',
        'XBitHack Full',
        'SSIETag On',
        'SSILastModified On',
        'SSIErrorMsg "<oops>"',
        'SSITimeFormat "%Y"',
        'SSIUndefinedEcho "(-)"',
        'SSIStartTag "<%"',
        'SSIEndTag "%>"',
        'Options +IncludesNOEXEC',
        'SSILegacyExprParser on',
        'ExpiresActive On',
        'SetEnv V val',
        'Header set X-S "%{SCRIPT_NAME}e"',
      ],
      1,
      6,
    ),
  ])
  const tag = (): string =>
    random.pick(['<!--#', '<!--#', '<%']) +
    random.pick([
      'echo var="V" ',
      'echo var="DOCUMENT_URI" ',
      'set var="x" value="y${V}" ',
      'echo var="x" ',
      'include virtual="/f.txt" ',
      'include file="f.txt" ',
      'include virtual="none" ',
      'if expr="${V} = val" ',
      'else ',
      'endif ',
      'fsize file="f.txt" ',
      'flastmod file="none" ',
      'config errmsg="E" ',
      'config timefmt="%d" ',
      'echo encoding="none" var="QUERY_STRING" ',
      'bogus ',
      'exec cmd="echo hi" ',
      'include virtual="sub/i.shtml?a=b" ',
    ]) +
    random.pick(['-->', '-->', '%>'])
  return {
    server: here.server,
    files: withHtaccess(
      {
        'p.shtml': random.several(1, 8, () => `t ${tag()}`).join('\n'),
        'sub/i.shtml': `i ${tag()}`,
        'f.txt': 'file',
        'plain.html': `h ${tag()}`,
      },
      here.htaccess,
    ),
    requests: random.several(4, 7, () => ({
      method: random.pick(['GET', 'GET', 'HEAD', 'POST']),
      target: random.pick(['/p.shtml', '/p.shtml?q=<1>', '/sub/i.shtml', '/plain.html', '/p.shtml/info']),
      headers: random.pick<Record<string, string>>([
        {},
        {},
        { 'If-Modified-Since': 'Sat, 01 Jan 2060 00:00:00 GMT' },
        { Range: 'bytes=0-3' },
      ]),
    })),
  }
}
