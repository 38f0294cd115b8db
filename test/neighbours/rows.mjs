// The tenants' requests: each row has the files of the tenant's folder and one request in it. B1 to B12 were
// reported; N1 and higher are ours.
import { htaccess, lines, MIB, repeated, row } from './row-parts.mjs'

const GIB = 1024 * MIB
/** alice:secret */
const ALICE = { Authorization: `Basic ${Buffer.from('alice:secret').toString('base64')}` }
const SECRET = 'alice:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ='
const USER = (index) => `user${index}:{SHA}AAAAAAAAAAAAAAAAAAAAAAAAAAA=`
const LOGIN = ['AuthType Basic', 'AuthName x', 'AuthBasicProvider file', 'AuthUserFile "@TENANT@/users"']
const COUNTS = [10_000, 20_000, 40_000]

const titles = (count) =>
  Object.fromEntries(lines(count, (n) => [`p${n}.html`, `${'<!-- nothing -->'.repeat(1000)}<title>Page ${n}</title>\n`]))

/**
 * A row has a name (`B1-10000`; `--only B1` selects all that begin with it), a title, and a function that makes its
 * parts: `files` and `sizes` are files in the tenant's folder, the latter with holes instead of content; `server` are
 * lines of the server's own configuration; `request` is a GET of /tenant/b.txt by default. @TENANT@ is the folder.
 */
export const ROWS = [
  ...COUNTS.map((count) =>
    row(`B1-${count}`, `RewriteRule ^nope(.*)$ x, ${count} lines`, () =>
      htaccess(['RewriteEngine On', ...repeated(count, 'RewriteRule ^nope(.*)$ x')]),
    ),
  ),
  ...[4_000, 8_000, 40_000].flatMap((count) => [
    row(`B2-${count}`, `<Files a*>, ${count} sections`, () => htaccess(repeated(count, '<Files a*>\nSetEnv a b\n</Files>'))),
    row(`B3-${count}`, `<If "1==1">, ${count} sections`, () => htaccess(repeated(count, '<If "1==1">\nSetEnv a b\n</If>'))),
  ]),
  row('B4', 'RewriteRule . - [CO=a:b:c], 20,000 lines', () =>
    htaccess(['RewriteEngine On', ...repeated(20_000, 'RewriteRule . - [CO=a:b:c]')]),
  ),
  row('B5', 'SetEnvIf X-A (a|b)*c q, 20,000 lines, and a field of 6,000 bytes', () =>
    htaccess(repeated(20_000, 'SetEnvIf X-A (a|b)*c q'), {
      headers: { 'X-A': 'ab'.repeat(3000) },
    }),
  ),
  ...[4, 9].map((count) =>
    row(`B6-${count}`, `SetEnvIfExpr that makes a variable nine times as long, ${count} lines`, () =>
      htaccess([
        'SetEnvIf Request_URI . A=xxxxxxxxxx',
        ...repeated(count, `SetEnvIfExpr "reqenv('A') =~ /(.*)/" A=${'$1'.repeat(9)}`),
      ]),
    ),
  ),
  row('B7', 'RequestHeader edit* that makes a field eight times as long, 5 lines', () =>
    htaccess(repeated(5, `RequestHeader edit* X-A (.) ${'$1'.repeat(8)}`), {
      headers: { 'X-A': 'a'.repeat(6000) },
    }),
  ),
  row('B8', 'Header echo .*, 3,000 lines, and 90 fields', () =>
    htaccess(repeated(3000, 'Header echo .*'), {
      headers: Object.fromEntries(lines(90, (n) => [`X-${n}`, 'v'])),
    }),
  ),
  ...[1, 3].map((size) =>
    row(`B9-${size}`, `FileETag Digest, file of ${size} GiB`, () => ({
      files: { '.htaccess': 'FileETag Digest\n' },
      sizes: { 'b.bin': size * GIB },
      request: { path: '/tenant/b.bin', method: 'HEAD' },
    })),
  ),
  row('B10-sparse', 'AuthUserFile of 1 GiB without content', () => ({
    files: { '.htaccess': [...LOGIN, 'Require valid-user'] },
    sizes: { users: GIB },
    request: { headers: ALICE },
  })),
  row('B10-lines', 'AuthUserFile of 800,000 lines', () => ({
    files: { '.htaccess': [...LOGIN, 'Require valid-user'], users: [...lines(800_000, USER), SECRET] },
    request: { headers: ALICE },
  })),
  row('B11', 'type map of 100,000 entries', () => ({
    files: {
      '.htaccess': 'AddHandler type-map .var\n',
      'b.var': lines(100_000, (n) => `URI: b${n}.txt\nContent-Type: text/plain\n`),
    },
    request: { path: '/tenant/b.var' },
  })),
  row('B12', 'RewriteRule ^(.*)$ b.txt, 3,000 lines, and one with [N=32000]', () =>
    htaccess(['RewriteEngine On', ...repeated(3000, 'RewriteRule ^(.*)$ b.txt'), 'RewriteRule ^(.*)$ b.txt [N=32000]']),
  ),

  row('N1-lines', 'AuthGroupFile of 800,000 lines', () => ({
    files: {
      '.htaccess': [...LOGIN, 'AuthGroupFile "@TENANT@/groups"', 'Require group last'],
      users: SECRET,
      groups: [...lines(800_000, (n) => `group${n}: user${n} user${n + 1}`), 'last: alice'],
    },
    request: { headers: ALICE },
  })),
  row('N1-members', 'AuthGroupFile with one group of 800,000 members', () => ({
    files: {
      '.htaccess': [...LOGIN, 'AuthGroupFile "@TENANT@/groups"', 'Require group last'],
      users: SECRET,
      groups: `last: ${lines(800_000, (n) => `user${n}`).join(' ')} alice\n`,
    },
    request: { headers: ALICE },
  })),
  row('N1-sparse', 'AuthGroupFile of 1 GiB without content', () => ({
    files: { '.htaccess': [...LOGIN, 'AuthGroupFile "@TENANT@/groups"', 'Require group last'], users: SECRET },
    sizes: { groups: GIB },
    request: { headers: ALICE },
  })),
  row('N2', 'AuthUserFile of 800,000 lines for Digest', () => ({
    files: {
      '.htaccess': [
        'AuthType Digest',
        'AuthName x',
        'AuthDigestProvider file',
        'AuthUserFile "@TENANT@/users"',
        'Require valid-user',
      ],
      users: lines(800_000, (n) => `user${n}:x:0123456789abcdef0123456789abcdef`),
    },
    request: {
      headers: {
        Authorization:
          'Digest username="alice", realm="x", nonce="nonce", uri="/tenant/b.txt", response="0123456789abcdef0123456789abcdef", qop=auth, nc=00000001, cnonce="c"',
      },
    },
  })),
  ...['text', 'random'].map((kind) =>
    row(`N3-${kind}`, `RewriteMap of 800,000 lines in the tenant's folder (${kind})`, () => ({
      files: {
        '.htaccess': ['RewriteEngine On', 'RewriteRule ^(.*)$ - [E=found:${tenants:key799999}]'],
        'map.txt': lines(800_000, (n) => `key${n} value${n}`),
      },
      server: [`RewriteMap tenants "${kind === 'text' ? 'txt' : 'rnd'}:@TENANT@/map.txt"`],
    })),
  ),
  row('N3-sparse', "RewriteMap of 1 GiB without content in the tenant's folder", () => ({
    files: { '.htaccess': ['RewriteEngine On', 'RewriteRule ^(.*)$ - [E=found:${tenants:key}]'] },
    sizes: { 'map.txt': GIB },
    server: ['RewriteMap tenants "txt:@TENANT@/map.txt"'],
  })),
  row('N4', 'type map of 1 GiB without content', () => ({
    files: { '.htaccess': 'AddHandler type-map .var\n' },
    sizes: { 'b.var': GIB },
    request: { path: '/tenant/b.var' },
  })),
  row('N5', 'MultiViews over 20,000 variants', () => ({
    files: {
      '.htaccess': ['Options +MultiViews', 'AddLanguage en .en', 'AddType text/plain .txt'],
      ...Object.fromEntries(lines(20_000, (n) => [`v.${n}.en.txt`, ''])),
    },
    request: { path: '/tenant/v' },
  })),
  row('N6-titles', 'IndexOptions ScanHTMLTitles, 3,000 pages of 16 KB', () => ({
    files: {
      '.htaccess': 'Options +Indexes\nIndexOptions FancyIndexing ScanHTMLTitles\nAddType text/html .html\n',
      ...titles(3000),
    },
    request: { path: '/tenant/' },
  })),
  row('N6-entries', 'listing of a folder of 50,000 files', () => ({
    files: {
      '.htaccess': 'Options +Indexes\nIndexOptions FancyIndexing\n',
      ...Object.fromEntries(lines(50_000, (n) => [`f${n}.txt`, ''])),
    },
    request: { path: '/tenant/' },
  })),
  row('N6-descriptions', 'AddDescription and IndexIgnore, 2,000 patterns each, for 2,000 files', () => ({
    files: {
      '.htaccess': [
        'Options +Indexes',
        'IndexOptions FancyIndexing',
        ...lines(2000, (n) => `AddDescription "text ${n}" *a*b*c*${n}\nIndexIgnore *x*y*z*${n}`),
      ],
      ...Object.fromEntries(lines(2000, (n) => [`${'abc'.repeat(20)}${n}.txt`, ''])),
    },
    request: { path: '/tenant/' },
  })),
  row('N6-readme', 'ReadmeName of 1 GiB', () => ({
    files: { '.htaccess': 'Options +Indexes\nIndexOptions FancyIndexing\nReadmeName readme.html\nAddType text/html .html\n' },
    sizes: { 'readme.html': GIB },
    request: { path: '/tenant/', method: 'HEAD' },
  })),
  row('N6-text', 'HeaderName of 64 MiB of plain text', () => ({
    files: {
      '.htaccess': 'Options +Indexes\nIndexOptions FancyIndexing\nHeaderName header.txt\nAddType text/plain .txt\n',
      'header.txt': '<&>\n'.repeat(16 * MIB),
    },
    request: { path: '/tenant/' },
  })),
  row('N7-md5', 'ContentDigest On, file of 1 GiB', () => ({
    files: { '.htaccess': 'ContentDigest On\n' },
    sizes: { 'b.bin': GIB },
    request: { path: '/tenant/b.bin', method: 'HEAD' },
  })),
  row('N7-deflate', 'SetOutputFilter DEFLATE, file of 1 GiB', () => ({
    files: { '.htaccess': 'SetOutputFilter DEFLATE\n' },
    sizes: { 'b.bin': GIB },
    request: { path: '/tenant/b.bin', headers: { 'Accept-Encoding': 'gzip' } },
  })),
  row('N8-sparse', '.htaccess of 1 GiB without content', () => ({ sizes: { '.htaccess': GIB } })),
  row('N8-comments', '.htaccess of 32 MiB of comments', () =>
    htaccess(repeated(512 * 1024, `# ${'a comment '.repeat(6)}`.slice(0, 63))),
  ),
  row('N8-line', '.htaccess of one line of 15 MiB', () => htaccess([`SetEnv a "${'x'.repeat(15 * MIB)}"`])),
  row('N8-continued', '.htaccess of one line continued 1,000,000 times', () =>
    htaccess(['SetEnv a b \\', ...repeated(1_000_000, '  x \\'), '']),
  ),
  row('N8-nested', '<IfModule core.c> 20,000 levels deep', () =>
    htaccess([...repeated(20_000, '<IfModule core.c>'), ...repeated(20_000, '</IfModule>')]),
  ),
  row('N8-deep', '.htaccess of 1,000 lines in each of 60 folders', () => ({
    files: Object.fromEntries(
      lines(60, (n) => [`${'d/'.repeat(n)}.htaccess`, repeated(1000, 'SetEnvIf User-Agent bot bad')]).concat([
        [`${'d/'.repeat(59)}c.txt`, 'c\n'],
      ]),
    ),
    request: { path: `/tenant/${'d/'.repeat(59)}c.txt` },
  })),
  row('N9', 'Require expr in RequireAny, 20,000 lines', () =>
    htaccess([
      '<RequireAny>',
      ...lines(20_000, (n) => `Require expr "%{QUERY_STRING} =~ /^n${n}/ && %{REQUEST_URI} == '/${n}'"`),
      '</RequireAny>',
    ]),
  ),
  row('N10', 'Require user, 40,000 lines', () =>
    htaccess([...LOGIN, ...lines(40_000, (n) => `Require user user${n}`)], { headers: ALICE }),
  ),
  row('N11', 'Require expr with -F, which asks about another file of the folder, 2,000 lines', () =>
    htaccess(['<RequireAny>', ...repeated(2000, `Require expr "-F '@TENANT@/c.txt'"`), 'Require all granted', '</RequireAny>']),
  ),
  row('N12', 'RedirectMatch, 40,000 lines', () =>
    htaccess(lines(40_000, (n) => `RedirectMatch ^/n${n}/(.*)x$ http://to.test/$1`)),
  ),
  row('N13', 'ErrorDocument, 40,000 lines, the last to a page that is missing itself', () =>
    htaccess([...lines(40_000, (n) => `ErrorDocument 404 "page ${n}"`), 'ErrorDocument 404 /tenant/none-either'], {
      path: '/tenant/none',
    }),
  ),
  row('N14', 'ExpiresByType, 40,000 lines', () =>
    htaccess(['ExpiresActive On', ...lines(40_000, (n) => `ExpiresByType text/x-n${n} "access plus ${n} seconds"`)]),
  ),
  row('N15', 'AddType, 40,000 lines', () => htaccess(lines(40_000, (n) => `AddType text/x-n${n} .n${n}`))),
  row('N16', 'BrowserMatch (a+)+$, 5,000 lines, and a name of 6,000 bytes', () =>
    htaccess(repeated(5000, 'BrowserMatch (a+)+$ bad'), {
      headers: { 'User-Agent': `${'a'.repeat(6000)}b` },
    }),
  ),
  row('N17', 'Header edit* of a field of 8,000 bytes, 1,000 lines', () =>
    htaccess([`Header set X-A ${'ab'.repeat(4000)}`, ...repeated(1000, 'Header edit* X-A (a)(b) $2$1')]),
  ),
  row('N18', 'Header append, 20,000 lines', () => htaccess(repeated(20_000, 'Header append X-A value'))),
  row('N19', 'DirectoryIndex with 20,000 names that are missing', () =>
    htaccess([...lines(200, (row) => `DirectoryIndex ${lines(100, (n) => `none${row}-${n}.html`).join(' ')}`)], {
      path: '/tenant/',
    }),
  ),
  row('N20', '<Limit> and <LimitExcept>, 10,000 sections each', () =>
    htaccess(
      repeated(10_000, '<Limit GET>\nRequire all granted\n</Limit>\n<LimitExcept GET>\nRequire all denied\n</LimitExcept>'),
    ),
  ),
  row('N21', 'FilterDeclare, FilterProvider and FilterChain, 3,000 lines each', () =>
    htaccess(
      lines(3000, (n) => `FilterDeclare f${n}\nFilterProvider f${n} DEFLATE "%{resp:X-None} =~ /n${n}/"\nFilterChain +f${n}`),
    ),
  ),
  row('N22', 'SetEnvIf that refers to variables of SetEnvIf, 20,000 lines', () =>
    htaccess(lines(20_000, (n) => `SetEnvIf v${n} (.*) v${n + 1}=$1x`)),
  ),
  row('N23', 'RewriteCond %{ENV:a} with a back-reference, 20,000 lines', () =>
    htaccess(
      [
        'RewriteEngine On',
        ...repeated(20_000, 'RewriteCond %{REQUEST_URI}%{QUERY_STRING} ^(.*)(a|b)*x$\nRewriteRule ^(.*)$ - [E=a:%1]'),
      ],
      { path: `/tenant/b.txt?${'ab'.repeat(2000)}` },
    ),
  ),
  row('N24', '<If "true"> nested 1,000 levels deep', () =>
    htaccess([...repeated(1000, '<If "true">'), 'SetEnv a b', ...repeated(1000, '</If>')]),
  ),
]
