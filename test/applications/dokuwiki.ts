import { createHash } from 'node:crypto'
import { systemUser } from './account.ts'
import type { Application, Step } from './application.ts'
import { found, hiddenFields, type Page } from './browser.ts'
import type { DebianServer } from './debian-server.ts'
import { PIXEL } from './files.ts'
import type { RelocatedTree } from './relocated-tree.ts'

const PASSWORD = 'a secret'

function configure(tree: RelocatedTree, server: DebianServer): void {
  server.enableConf('dokuwiki', '/etc/dokuwiki/apache.conf')
  const hash = createHash('md5').update(PASSWORD).digest('hex')
  tree.write('/var/lib/dokuwiki/acl/users.auth.php', `admin:${hash}:Administrator:webmaster@localhost:admin,user\n`)
  for (const folder of ['/var/lib/dokuwiki', '/etc/dokuwiki']) tree.giveTo(folder, systemUser())
}

/** What must not be shown, or has a rule of its own. */
const REFUSED: readonly (readonly [string, number])[] = [
  ['/dokuwiki/bin/', 403],
  ['/dokuwiki/bin/dwpage.php', 403],
  ['/dokuwiki/VERSION', 403],
  ['/dokuwiki/.htaccess', 403],
  ['/dokuwiki/.htaccess.dist', 403],
  ['/dokuwiki/.git/config', 404],
  ['/dokuwiki/inc/', 403],
  ['/dokuwiki/inc/lang/', 403],
  ['/dokuwiki/lib/images/', 200],
  ['/dokuwiki/none.php', 404],
  ['/dokuwiki/lib/images/blank.gif/.php', 404],
  ['/dokuwiki/lib/images/blank.gif', 200],
  ['/dokuwiki', 301],
]

const LOGIN = '/dokuwiki/doku.php?id=start&do=login'

function formOf(former: ReadonlyMap<string, Page>, about: string, mark: string): Record<string, string> {
  const page = former.get(about)
  if (page === undefined) throw new Error(`there is no step "${about}"`)
  return hiddenFields(page, mark)
}

const SESSION: readonly Step[] = [
  {
    about: 'the front page',
    visit: (browser) => browser.get('/dokuwiki/doku.php'),
    status: 200,
    contains: 'Debian DokuWiki',
  },
  { about: 'the folder', visit: (browser) => browser.get('/dokuwiki/'), status: 302, contains: 'doku.php' },
  {
    about: 'a page by the path after the script',
    visit: (browser) => browser.get('/dokuwiki/doku.php/wiki:syntax'),
    status: 200,
  },
  { about: 'the style sheet', visit: (browser) => browser.get('/dokuwiki/lib/exe/css.php?t=dokuwiki'), status: 200 },
  {
    about: 'the style sheet, compressed',
    visit: (browser) =>
      browser.send('/dokuwiki/lib/exe/css.php?t=dokuwiki', { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } }),
    status: 200,
  },
  { about: 'the feed', visit: (browser) => browser.get('/dokuwiki/feed.php'), status: 200, contains: '<rdf:RDF' },
  { about: 'a page that does not exist', visit: (browser) => browser.get('/dokuwiki/doku.php?id=none'), status: 200 },
  {
    about: 'the options of a page',
    visit: (browser) => browser.send('/dokuwiki/doku.php', { method: 'OPTIONS' }),
    status: 200,
  },
  { about: 'XML-RPC, which is off', visit: (browser) => browser.post('/dokuwiki/lib/exe/xmlrpc.php', {}), status: 200 },
  {
    about: 'editing without a login',
    visit: (browser) => browser.get('/dokuwiki/doku.php?id=notes:first&do=edit'),
    status: 200,
  },
  { about: 'the form of the login', visit: (browser) => browser.get(LOGIN), status: 200, contains: 'name="u"' },
  {
    about: 'a wrong password',
    visit: (browser, former) =>
      browser.post(LOGIN, { ...formOf(former, 'the form of the login', 'id="dw__login"'), u: 'admin', p: 'wrong' }),
    status: 403,
    contains: 'username or password was wrong',
  },
  {
    about: 'the login',
    visit: (browser, former) =>
      browser.post(LOGIN, { ...formOf(former, 'a wrong password', 'id="dw__login"'), u: 'admin', p: PASSWORD }),
    status: 302,
  },
  {
    about: 'the front page of a user',
    visit: (browser) => browser.get('/dokuwiki/doku.php?id=start'),
    status: 200,
    contains: 'Administrator',
  },
  {
    about: 'the editor',
    visit: (browser) => browser.get('/dokuwiki/doku.php?id=notes:first&do=edit'),
    status: 200,
    contains: 'name="wikitext"',
  },
  {
    about: 'saving a page',
    visit: (browser, former) =>
      browser.post('/dokuwiki/doku.php?id=notes:first', {
        ...formOf(former, 'the editor', 'id="dw__editform"'),
        wikitext: '====== First notes ======\n\nGr\u00fc\u00dfe {{:notes:pixel.png}}\n',
        summary: 'a change',
        'do[save]': '1',
      }),
    status: 302,
    contains: 'notes:first',
  },
  {
    about: 'the saved page',
    visit: (browser) => browser.get('/dokuwiki/doku.php?id=notes:first'),
    status: 200,
    contains: 'First notes',
  },
  {
    about: 'its text',
    visit: (browser) => browser.get('/dokuwiki/doku.php?id=notes:first&do=export_raw'),
    status: 200,
    contains: '====== First notes ======',
  },
  {
    about: 'its revisions',
    visit: (browser) => browser.get('/dokuwiki/doku.php?id=notes:first&do=revisions'),
    status: 200,
    contains: 'a change',
  },
  {
    about: 'the media manager',
    visit: (browser) => browser.get('/dokuwiki/lib/exe/mediamanager.php?ns=notes'),
    status: 200,
    contains: 'id="dw__upload"',
  },
  {
    about: 'an upload',
    visit: (browser, former) =>
      browser.upload(
        '/dokuwiki/lib/exe/mediamanager.php?ns=notes',
        { ...formOf(former, 'the media manager', 'id="dw__upload"'), mediaid: 'pixel.png' },
        { field: 'upload', name: 'pixel.png', type: 'image/png', content: PIXEL },
      ),
    status: 200,
    contains: 'Upload successful',
  },
  {
    about: 'an upload of a script',
    visit: (browser, former) =>
      browser.upload(
        '/dokuwiki/lib/exe/mediamanager.php?ns=notes',
        { ...formOf(former, 'the media manager', 'id="dw__upload"'), mediaid: 'x.php' },
        { field: 'upload', name: 'x.php', type: 'image/png', content: Buffer.from('<?php echo 1;') },
      ),
    status: 200,
    lacks: 'Upload successful',
  },
  {
    about: 'the file',
    visit: (browser) => browser.get('/dokuwiki/lib/exe/fetch.php?media=notes:pixel.png'),
    status: 200,
    contains: 'IHDR',
  },
  {
    about: 'a part of the file',
    visit: (browser) => browser.get('/dokuwiki/lib/exe/fetch.php?media=notes:pixel.png', { Range: 'bytes=1-3' }),
    status: 206,
    contains: 'PNG',
  },
  {
    about: 'the file, unchanged',
    visit: (browser, former) =>
      browser.get('/dokuwiki/lib/exe/fetch.php?media=notes:pixel.png', {
        'If-None-Match': former.get('the file')?.fields.etag ?? '',
        'If-Modified-Since': former.get('the file')?.fields['last-modified'] ?? '',
      }),
    status: 304,
  },
  {
    about: 'a long page',
    visit: (browser, former) =>
      browser.post('/dokuwiki/doku.php?id=notes:long', {
        ...formOf(former, 'the editor', 'id="dw__editform"'),
        id: 'notes:long',
        wikitext: 'A line of a long page. '.repeat(6000),
        'do[save]': '1',
      }),
    status: 302,
  },
  {
    about: 'the text of the long page',
    visit: (browser) => browser.get('/dokuwiki/doku.php?id=notes:long&do=export_raw'),
    status: 200,
    contains: 'A line of a long page. '.repeat(6000).trim(),
  },
  {
    about: 'a search',
    visit: (browser) => browser.get('/dokuwiki/doku.php?id=start&do=search&q=notes'),
    status: 200,
    contains: 'notes:first',
  },
  {
    about: 'a request of a script on the page',
    visit: (browser) => browser.post('/dokuwiki/lib/exe/ajax.php', { call: 'linkwiz', q: 'notes:' }),
    status: 200,
    contains: 'notes:first',
  },
  {
    about: 'the administration',
    visit: (browser) => browser.get('/dokuwiki/doku.php?id=start&do=admin&page=usermanager'),
    status: 200,
    contains: 'webmaster@localhost',
  },
  {
    about: 'the logout',
    visit: (browser, former) => {
      const token = found(former.get('the saved page') ?? { status: 0, fields: {}, body: '' }, /do=logout&amp;sectok=([0-9a-f]+)/)
      return browser.get(`/dokuwiki/doku.php?id=start&do=logout&sectok=${token}`)
    },
    status: 302,
  },
  {
    about: 'editing after the logout',
    visit: (browser) => browser.get('/dokuwiki/doku.php?id=notes:first&do=edit'),
    status: 200,
    lacks: 'dw__editform" method="post" action="/dokuwiki/doku.php?id=notes:first" accept-charset',
  },
]

export const DOKUWIKI: Application = {
  name: 'dokuwiki',
  file: '/usr/share/dokuwiki/doku.php',
  packages: ['dokuwiki', 'php-xml'],
  folders: ['/usr/share/dokuwiki', '/etc/dokuwiki', '/var/lib/dokuwiki'],
  masks: [[/\btok=[0-9a-f]{6}/g, 'tok=...']],
  configure,
  steps: [
    ...REFUSED.map(([target, status]) => ({
      about: target,
      visit: (browser: Parameters<Step['visit']>[0]) => browser.get(target),
      status,
    })),
    ...SESSION,
  ],
}

export const DOKUWIKI_WITH_NICE_URLS: Application = {
  ...DOKUWIKI,
  name: 'dokuwiki with nice URLs',
  configure(tree, server) {
    // As its comments say.
    const text = tree.read('/etc/dokuwiki/htaccess')
    tree.write(
      '/etc/dokuwiki/htaccess',
      text.replaceAll(/^#(Rewrite(?:Engine|Base|Rule \^(?:_|\$|index)|Cond %\{REQUEST_FILENAME\}|Rule \(\.\*\)))/gm, '$1'),
    )
    tree.write('/etc/dokuwiki/local.php', `${tree.read('/etc/dokuwiki/local.php')}\n$conf['userewrite'] = 1;\n`)
    configure(tree, server)
  },
  steps: [
    { about: 'the front page', visit: (browser) => browser.get('/dokuwiki/'), status: 200, contains: 'Debian DokuWiki' },
    { about: 'a page', visit: (browser) => browser.get('/dokuwiki/wiki:syntax'), status: 200, contains: 'Formatting Syntax' },
    { about: 'a page that does not exist', visit: (browser) => browser.get('/dokuwiki/none?x=y'), status: 200 },
    { about: 'a page with an escaped name', visit: (browser) => browser.get('/dokuwiki/gr%C3%BC%C3%9Fe%20a+b'), status: 403 },
    { about: 'a picture', visit: (browser) => browser.get('/dokuwiki/_media/wiki:dokuwiki-128.png'), status: 200 },
    {
      about: 'about a picture',
      visit: (browser) => browser.get('/dokuwiki/_detail/wiki:dokuwiki-128.png?id=start'),
      status: 200,
    },
    { about: 'the text of a page', visit: (browser) => browser.get('/dokuwiki/_export/raw/wiki:syntax'), status: 200 },
    { about: 'a file that exists', visit: (browser) => browser.get('/dokuwiki/lib/images/blank.gif'), status: 200 },
    { about: 'the index', visit: (browser) => browser.get('/dokuwiki/index.php'), status: 200 },
    { about: 'a form', visit: (browser) => browser.get('/dokuwiki/start?do=login'), status: 200, contains: 'name="u"' },
  ],
}
