import { systemUser } from './account.ts'
import type { Application, Step } from './application.ts'
import { type Browser, found, type Page } from './browser.ts'
import { Database } from './database.ts'
import type { DebianServer } from './debian-server.ts'
import type { RelocatedTree } from './relocated-tree.ts'

const started: Database[] = []

async function configure(tree: RelocatedTree, server: DebianServer): Promise<void> {
  const database = await Database.start(tree.path('/run/mysql'))
  started.push(database)
  server.enableConf('phpmyadmin', '/etc/phpmyadmin/apache.conf')
  tree.write(
    '/etc/phpmyadmin/conf.d/socket.php',
    `<?php
$cfg['Servers'][1]['connect_type'] = 'socket';
$cfg['Servers'][1]['socket'] = '${database.socket}';
$cfg['VersionCheck'] = false;
`,
  )
  for (const folder of ['/var/lib/phpmyadmin', '/etc/phpmyadmin']) tree.giveTo(folder, systemUser())
}

type Former = ReadonlyMap<string, Page>

/** What proves that a form is one of this session's. */
function token(former: Former, about = 'the start page'): string {
  const page = former.get(about)
  if (page === undefined) throw new Error(`there is no step "${about}"`)
  return found(page, /name="token" value="([^"]*)"/)
}

/** Has a statement executed as the page for SQL does. */
function query(browser: Browser, former: Former, statement: string): Promise<Page> {
  return browser.post('/phpmyadmin/index.php?route=/import', {
    token: token(former),
    server: '1',
    db: Database.NAME,
    sql_query: statement,
    sql_delimiter: ';',
    show_query: '1',
    ajax_request: 'true',
  })
}

const STEPS: readonly Step[] = [
  { about: 'the folder', visit: (browser) => browser.get('/phpmyadmin'), status: 301 },
  {
    about: 'the form of the login',
    visit: (browser) => browser.get('/phpmyadmin/'),
    status: 200,
    contains: 'name="pma_username"',
  },
  {
    about: 'a wrong password',
    visit: (browser, former) =>
      browser.post('/phpmyadmin/index.php?route=/', {
        pma_username: Database.USER,
        pma_password: 'wrong',
        server: '1',
        token: token(former, 'the form of the login'),
      }),
    status: 200,
    contains: 'Access denied for user',
  },
  {
    about: 'the login',
    visit: (browser, former) =>
      browser.post('/phpmyadmin/index.php?route=/', {
        pma_username: Database.USER,
        pma_password: Database.PASSWORD,
        server: '1',
        token: token(former, 'a wrong password'),
      }),
    status: 302,
  },
  {
    about: 'the start page',
    visit: (browser) => browser.get('/phpmyadmin/index.php?route=/'),
    status: 200,
    contains: 'General settings',
  },
  {
    about: 'a new table',
    visit: (browser, former) =>
      query(browser, former, 'CREATE TABLE notes (id INT PRIMARY KEY, text VARCHAR(40)) DEFAULT CHARSET utf8mb4'),
    status: 200,
    contains: '"success":true',
  },
  {
    about: 'rows of the table',
    visit: (browser, former) => query(browser, former, "INSERT INTO notes VALUES (1, 'first'), (2, 'Gr\u00fc\u00dfe')"),
    status: 200,
    contains: '2 rows inserted',
  },
  {
    about: 'a wrong statement',
    visit: (browser, former) => query(browser, former, 'SELECT none FROM nothing'),
    status: 200,
    contains: '"success":false',
  },
  {
    about: 'an upload of statements',
    visit: (browser, former) =>
      browser.upload(
        '/phpmyadmin/index.php?route=/import',
        { token: token(former), server: '1', db: Database.NAME, import_type: 'database', format: 'sql', ajax_request: 'true' },
        {
          field: 'import_file',
          name: 'more.sql',
          type: 'application/sql',
          content: Buffer.from(`${'-- a comment of a long file\n'.repeat(4000)}INSERT INTO notes VALUES (3, 'from a file');\n`),
        },
      ),
    status: 200,
    contains: '1 row inserted',
  },
  {
    about: 'the tables',
    visit: (browser) => browser.get(`/phpmyadmin/index.php?route=/database/structure&server=1&db=${Database.NAME}`),
    status: 200,
    contains: 'notes',
  },
  {
    about: 'the rows',
    visit: (browser) => browser.get(`/phpmyadmin/index.php?route=/sql&server=1&db=${Database.NAME}&table=notes&pos=0`),
    status: 200,
    contains: 'from a file',
  },
  {
    about: 'the columns',
    visit: (browser) => browser.get(`/phpmyadmin/index.php?route=/table/structure&server=1&db=${Database.NAME}&table=notes`),
    status: 200,
    contains: 'varchar(40)',
  },
  {
    about: 'a copy of the database',
    visit: (browser, former) =>
      browser.post('/phpmyadmin/index.php?route=/export', {
        token: token(former),
        server: '1',
        db: Database.NAME,
        export_type: 'database',
        export_method: 'quick',
        quick_or_custom: 'quick',
        what: 'sql',
        output_format: 'sendit',
        structure_or_data_forced: '1',
      }),
    status: 200,
  },
  {
    about: 'the fields of the navigation',
    visit: (browser) => browser.get('/phpmyadmin/index.php?route=/navigation'),
    status: 200,
  },
  { about: 'a style sheet', visit: (browser) => browser.get('/phpmyadmin/themes/pmahomme/css/theme.css'), status: 200 },
  {
    about: 'a script, compressed',
    visit: (browser) => browser.send('/phpmyadmin/js/dist/ajax.js', { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } }),
    status: 200,
  },
  { about: 'the messages of the scripts', visit: (browser) => browser.get('/phpmyadmin/js/messages.php?l=en'), status: 200 },
  { about: 'the folder of the templates', visit: (browser) => browser.get('/phpmyadmin/templates/'), status: 403 },
  { about: 'a template', visit: (browser) => browser.get('/phpmyadmin/templates/base.twig'), status: 403 },
  { about: 'a file of the libraries', visit: (browser) => browser.get('/phpmyadmin/libraries/constants.php'), status: 403 },
  { about: 'a script with a path after its name', visit: (browser) => browser.get('/phpmyadmin/index.php/x.php'), status: 200 },
  { about: 'a picture as a script', visit: (browser) => browser.get('/phpmyadmin/favicon.ico/.php'), status: 404 },
  { about: 'a file that does not exist', visit: (browser) => browser.get('/phpmyadmin/none.php'), status: 404 },
  {
    about: 'the logout',
    visit: (browser, former) => browser.post('/phpmyadmin/index.php?route=/logout', { token: token(former), server: '1' }),
    status: 302,
  },
  {
    about: 'the tables after the logout',
    visit: (browser) => browser.get(`/phpmyadmin/index.php?route=/database/structure&server=1&db=${Database.NAME}`),
    status: 200,
    contains: 'name="pma_username"',
  },
]

export const PHPMYADMIN: Application = {
  name: 'phpmyadmin',
  file: '/usr/share/phpmyadmin/index.php',
  packages: ['phpmyadmin', 'mariadb-server', 'php-mysql', 'php-mbstring'],
  needs: '/usr/sbin/mariadbd',
  folders: ['/usr/share/phpmyadmin', '/etc/phpmyadmin', '/var/lib/phpmyadmin'],
  linked: ['/usr/share/php', '/usr/share/javascript'],
  masks: [
    [/\b\d+\.\d+ seconds?/g, 'SECONDS'],
    [/name="set_session" value="\w+"/g, 'SESSION'],
    // Ends of identifiers on a page are random.
    [/\b(?:id|for|data-for|data-uniqueId)="[A-Za-z_]*\d{5,10}(?:_\w+)?"/g, 'IDENTIFIER'],
    [/\bat \d\d:\d\d [AP]M\b/g, 'HOUR'],
    [/(?:Gatewright|Apache)\/[\d.]+ \(\w+\)/g, 'SERVER'],
  ],
  configure,
  async end() {
    for (const database of started.splice(0)) await database.stop()
  },
  steps: STEPS,
}
