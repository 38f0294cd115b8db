import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync } from 'node:fs'
import { systemUser } from './account.ts'
import type { Application, Step } from './application.ts'
import { hiddenFields, type Page } from './browser.ts'
import type { DebianServer } from './debian-server.ts'
import { PIXEL } from './files.ts'
import type { RelocatedTree } from './relocated-tree.ts'

const PASSWORD = 'Correct-Horse-7-Battery'
const DATA = '/var/lib/mediawiki/data'

function configure(tree: RelocatedTree, server: DebianServer, port: number): void {
  server.enableConf('mediawiki')
  mkdirSync(tree.path(DATA))
  execFileSync(
    '/usr/bin/php',
    [
      tree.path('/usr/share/mediawiki/maintenance/install.php'),
      '--dbtype=sqlite',
      `--dbpath=${tree.path(DATA)}`,
      '--dbname=wiki',
      `--server=http://localhost:${port}`,
      '--scriptpath=/mediawiki',
      `--confpath=${tree.path('/etc/mediawiki')}`,
      `--pass=${PASSWORD}`,
      'Notes of a gate',
      'Admin',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  appendFileSync(tree.path('/etc/mediawiki/LocalSettings.php'), LINES)
  for (const folder of ['/var/lib/mediawiki', '/etc/mediawiki']) tree.giveTo(folder, systemUser())
}

/** Of an administrator, besides uploads: nothing that happens a moment later. */
const LINES = `
$wgEnableUploads = true;
$wgJobRunRate = 0;
$wgMainCacheType = CACHE_NONE;
$wgParserCacheType = CACHE_NONE;
$wgArticlePath = '/mediawiki/index.php/$1';
`

type Former = ReadonlyMap<string, Page>

function formOf(former: Former, about: string, mark: string): Record<string, string> {
  const page = former.get(about)
  if (page === undefined) throw new Error(`there is no step "${about}"`)
  return hiddenFields(page, mark)
}

const LOGIN = '/mediawiki/index.php?title=Special:UserLogin'
const EDIT = '/mediawiki/index.php?title=First_notes&action=edit'
const UPLOAD = '/mediawiki/index.php/Special:Upload'

/** What must not be shown, or has a rule of its own. */
const REFUSED: readonly (readonly [string, number])[] = [
  ['/mediawiki/includes/', 403],
  ['/mediawiki/includes/Setup.php', 403],
  ['/mediawiki/maintenance/', 403],
  ['/mediawiki/maintenance/tables.json', 403],
  ['/mediawiki/languages/Language.php', 403],
  ['/mediawiki/vendor/autoload.php', 403],
  ['/mediawiki/cache/', 403],
  ['/mediawiki/images/.htaccess', 403],
  ['/mediawiki/none.php', 404],
  ['/mediawiki', 301],
]

const STEPS: readonly Step[] = [
  { about: 'the folder', visit: (browser) => browser.get('/mediawiki/'), status: 301, contains: 'Main_Page' },
  {
    about: 'the main page',
    visit: (browser) => browser.get('/mediawiki/index.php/Main_Page'),
    status: 200,
    contains: 'MediaWiki has been installed',
  },
  { about: 'a page that does not exist', visit: (browser) => browser.get('/mediawiki/index.php/None'), status: 404 },
  {
    about: 'a page with an escaped name',
    visit: (browser) => browser.get('/mediawiki/index.php/Gr%C3%BC%C3%9Fe_%26_x%2Fy'),
    status: 404,
  },
  {
    about: 'editing without a login',
    visit: (browser) => browser.get('/mediawiki/index.php?title=Special:Upload'),
    status: 200,
    lacks: 'wpUploadFile',
  },
  { about: 'the form of the login', visit: (browser) => browser.get(LOGIN), status: 200, contains: 'wpLoginToken' },
  {
    about: 'a wrong password',
    visit: (browser, former) =>
      browser.post(LOGIN, {
        ...formOf(former, 'the form of the login', 'userlogin'),
        wpName: 'Admin',
        wpPassword: 'wrong',
        wploginattempt: 'Log in',
      }),
    status: 200,
    contains: 'Incorrect username or password',
  },
  {
    about: 'the login',
    visit: (browser, former) =>
      browser.post(LOGIN, {
        ...formOf(former, 'a wrong password', 'userlogin'),
        wpName: 'Admin',
        wpPassword: PASSWORD,
        wploginattempt: 'Log in',
      }),
    status: 302,
  },
  { about: 'the editor', visit: (browser) => browser.get(EDIT), status: 200, contains: 'wpEditToken' },
  {
    about: 'saving a page',
    visit: (browser, former) =>
      browser.post('/mediawiki/index.php?title=First_notes&action=submit', {
        ...formOf(former, 'the editor', 'id="editform"'),
        wpTextbox1: `== First notes ==\nGr\u00fc\u00dfe [[File:Pixel.png]]\n${'A line of a long page. '.repeat(3000)}`,
        wpSummary: 'a change',
        wpSave: 'Save page',
        wpUnicodeCheck: '\u2133\ud835\udcb2\u2665\ud835\udcca\ud835\udcc3\ud835\udcbe\ud835\udcb8\u2134\ud835\udcb9\u212f',
      }),
    status: 302,
    contains: 'First_notes',
  },
  {
    about: 'the saved page',
    visit: (browser) => browser.get('/mediawiki/index.php/First_notes'),
    status: 200,
    contains: 'A line of a long page. '.repeat(3000).trim(),
  },
  { about: 'the form of uploads', visit: (browser) => browser.get(UPLOAD), status: 200, contains: 'wpUploadFile' },
  {
    about: 'an upload',
    visit: (browser, former) =>
      browser.upload(
        UPLOAD,
        {
          ...formOf(former, 'the form of uploads', 'mw-upload-form'),
          wpDestFile: 'Pixel.png',
          wpUploadDescription: 'a pixel',
          wpUpload: 'Upload file',
        },
        { field: 'wpUploadFile', name: 'pixel.png', type: 'image/png', content: PIXEL },
      ),
    status: 302,
    contains: 'File:Pixel.png',
  },
  {
    about: 'an upload of a script',
    visit: (browser, former) =>
      browser.upload(
        UPLOAD,
        {
          ...formOf(former, 'the form of uploads', 'mw-upload-form'),
          wpDestFile: 'X.php',
          wpUploadDescription: 'a script',
          wpUpload: 'Upload file',
        },
        { field: 'wpUploadFile', name: 'x.php', type: 'image/png', content: Buffer.from('<?php echo 1;') },
      ),
    status: 200,
    contains: 'Permitted file type',
  },
  {
    about: 'the file',
    visit: (browser) => browser.get('/mediawiki/images/2/21/Pixel.png'),
    status: 200,
    contains: 'IHDR',
  },
  { about: 'about the file', visit: (browser) => browser.get('/mediawiki/index.php/File:Pixel.png'), status: 200 },
  {
    about: 'the history',
    visit: (browser) => browser.get('/mediawiki/index.php?title=First_notes&action=history'),
    status: 200,
    contains: 'a change',
  },
  {
    about: 'a search',
    visit: (browser) => browser.get('/mediawiki/index.php?search=first&fulltext=1'),
    status: 200,
    contains: 'First notes',
  },
  {
    about: 'the interface for programs',
    visit: (browser) => browser.get('/mediawiki/api.php?action=query&titles=First_notes&prop=info&format=json'),
    status: 200,
    contains: '"title":"First notes"',
  },
  {
    about: 'the interface with paths',
    visit: (browser) => browser.get('/mediawiki/rest.php/v1/page/First_notes/bare'),
    status: 200,
    contains: 'First notes',
  },
  {
    about: 'a style sheet',
    visit: (browser) => browser.get('/mediawiki/load.php?lang=en&modules=site.styles&only=styles&skin=vector'),
    status: 200,
  },
  {
    about: 'a file of the package',
    visit: (browser) => browser.get('/mediawiki/resources/assets/poweredby_mediawiki_88x31.png'),
    status: 200,
  },
  ...REFUSED.map(([target, status]): Step => ({ about: target, visit: (browser) => browser.get(target), status })),
  {
    about: 'the configuration',
    visit: (browser) => browser.get('/mediawiki/LocalSettings.php'),
    status: 200,
    lacks: 'wgSecretKey',
  },
  {
    about: 'the form of the logout',
    visit: (browser) => browser.get('/mediawiki/index.php?title=Special:UserLogout'),
    status: 200,
  },
  {
    about: 'the logout',
    visit: (browser, former) =>
      browser.post('/mediawiki/index.php?title=Special:UserLogout', formOf(former, 'the form of the logout', 'mw-htmlform')),
    status: 200,
    contains: 'You are now logged out',
  },
]

export const MEDIAWIKI: Application = {
  name: 'mediawiki',
  file: '/usr/share/mediawiki/index.php',
  packages: ['mediawiki', 'php-sqlite3'],
  folders: ['/usr/share/mediawiki', '/etc/mediawiki', '/var/lib/mediawiki'],
  masks: [
    // Names of requests, and tokens.
    [/\b[0-9a-f]{24}\b/g, 'REQUEST'],
    [/\b[0-9a-f]{40,}\+\\*/g, 'TOKEN'],
    [/"(?:wgBackendResponseTime|wgUserRegistration|wgUserEditCount)":\d+/g, 'MOMENT'],
    [/"(?:cputime|walltime|timestamp|ttl|timingprofile)":(?:"[^"]*"|\d+|\[[^\]]*\])/g, 'DURATION'],
    [/\b\d\d:\d\d, \d\d? [A-Z][a-z]+ \d{4}\b|\b\d\d? [A-Z][a-z]+ \d{4}, at \d\d:\d\d\b/g, 'HOUR'],
    [/\b20\d{12}\b|changeslist-time">\d\d:\d\d/g, 'MOMENT'],
    [/\btime usage: \d+\.\d+|\b\d+\.\d\d% +\d+\.\d+/g, 'DURATION'],
  ],
  configure,
  steps: STEPS,
}
