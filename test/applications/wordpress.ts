import { systemUser } from './account.ts'
import type { Application, Step } from './application.ts'
import { found, hiddenFields, type Page } from './browser.ts'
import { Database } from './database.ts'
import { PIXEL } from './files.ts'
import type { RelocatedTree } from './relocated-tree.ts'

const PASSWORD = 'Correct-Horse-7-Battery'
const CONTENT = '/var/lib/wordpress/wp-content'
const started: Database[] = []

async function configure(tree: RelocatedTree): Promise<void> {
  const database = await Database.start(tree.path('/run/mysql'))
  started.push(database)
  // The last example of the package's apache.conf.
  tree.write(
    '/etc/apache2/conf-enabled/wordpress.conf',
    `Alias /blog/wp-content ${tree.path(CONTENT)}
Alias /blog ${tree.path('/usr/share/wordpress')}
# WordPress offers permalinks without index.php only to this name.
ProxyFCGISetEnvIf true SERVER_SOFTWARE Apache
<Directory ${tree.path('/usr/share/wordpress')}>
    Options FollowSymLinks
    AllowOverride Limit Options FileInfo
    DirectoryIndex index.php
    Require all granted
</Directory>
<Directory ${tree.path(CONTENT)}>
    Options FollowSymLinks
    Require all granted
</Directory>
`,
  )
  const htaccess = tree.read('/etc/wordpress/htaccess')
  const [first] = htaccess.split('## Configuration for a multi-site', 1)
  const uncommented = first.replaceAll(/^#(<\/?IfModule|Rewrite)/gm, '$1')
  tree.write(
    '/etc/wordpress/htaccess',
    uncommented.replace('RewriteBase /\n', 'RewriteBase /blog/\n').replace('. /index.php', '. /blog/index.php'),
  )
  const salts = ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'].flatMap((name) => [
    `define('${name}_KEY', 'key of ${name}');`,
    `define('${name}_SALT', 'salt of ${name}');`,
  ])
  tree.write(
    '/etc/wordpress/config-localhost.php',
    `<?php
define('DB_NAME', '${Database.NAME}');
define('DB_USER', '${Database.USER}');
define('DB_PASSWORD', '${Database.PASSWORD}');
define('DB_HOST', 'localhost:${database.socket}');
define('WP_CONTENT_DIR', '${tree.path(CONTENT)}');
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);
${salts.join('\n')}
?>`,
  )
  tree.giveTo(CONTENT, systemUser())
}

type Former = ReadonlyMap<string, Page>

function pageOf(former: Former, about: string): Page {
  const page = former.get(about)
  if (page === undefined) throw new Error(`there is no step "${about}"`)
  return page
}

/** The permalink of the post. */
function pathOf(former: Former): string {
  return new URL(found(pageOf(former, 'a post'), /"link":"([^"]*)"/).replaceAll('\\/', '/')).pathname
}

/** What proves to the interface of scripts that the request comes from a page of the administration. */
function nonce(former: Former): string {
  return found(pageOf(former, 'the editor'), /wpApiSettings = \{[^}]*"nonce":"([0-9a-f]+)"/)
}

function api(
  former: Former,
  text: object,
): { readonly method: string; readonly headers: Record<string, string>; readonly body: string } {
  return {
    method: 'POST',
    headers: { 'X-WP-Nonce': nonce(former), 'Content-Type': 'application/json' },
    body: JSON.stringify(text),
  }
}

const STEPS: readonly Step[] = [
  {
    about: 'the front page before the installation',
    visit: (browser) => browser.get('/blog/'),
    status: 302,
    contains: 'install.php',
  },
  { about: 'the installation', visit: (browser) => browser.get('/blog/wp-admin/install.php'), status: 200 },
  {
    about: 'installing',
    visit: (browser) =>
      browser.post('/blog/wp-admin/install.php?step=2', {
        weblog_title: 'Notes of a gate',
        user_name: 'admin',
        admin_password: PASSWORD,
        admin_password2: PASSWORD,
        admin_email: 'admin@example.org',
        blog_public: '0',
        language: '',
      }),
    status: 200,
    contains: 'WordPress has been installed',
  },
  { about: 'the front page', visit: (browser) => browser.get('/blog/'), status: 200, contains: 'Notes of a gate' },
  {
    about: 'the administration without a login',
    visit: (browser) => browser.get('/blog/wp-admin/'),
    status: 302,
    contains: 'wp-login.php',
  },
  { about: 'the form of the login', visit: (browser) => browser.get('/blog/wp-login.php'), status: 200, contains: 'name="log"' },
  {
    about: 'a wrong password',
    visit: (browser) => browser.post('/blog/wp-login.php', { log: 'admin', pwd: 'wrong', testcookie: '1' }),
    status: 200,
    contains: 'is incorrect',
  },
  {
    about: 'the login',
    visit: (browser) => browser.post('/blog/wp-login.php', { log: 'admin', pwd: PASSWORD, testcookie: '1' }),
    status: 302,
    contains: 'wp-admin',
  },
  { about: 'the administration', visit: (browser) => browser.get('/blog/wp-admin/'), status: 200, contains: 'Dashboard' },
  { about: 'the form of permalinks', visit: (browser) => browser.get('/blog/wp-admin/options-permalink.php'), status: 200 },
  {
    about: 'permalinks',
    visit: (browser, former) =>
      browser.post('/blog/wp-admin/options-permalink.php', {
        ...hiddenFields(pageOf(former, 'the form of permalinks'), 'options-permalink.php'),
        selection: 'custom',
        permalink_structure: '/%year%/%postname%/',
        submit: 'Save Changes',
      }),
    status: 302,
  },
  {
    about: 'permalinks, saved',
    visit: (browser) => browser.get('/blog/wp-admin/options-permalink.php?settings-updated=true'),
    status: 200,
  },
  { about: 'the editor', visit: (browser) => browser.get('/blog/wp-admin/post-new.php'), status: 200, contains: 'wpApiSettings' },
  {
    about: 'a post',
    visit: (browser, former) =>
      browser.send(
        '/blog/wp-json/wp/v2/posts',
        api(former, { title: 'First notes', content: 'Gr\u00fc\u00dfe', status: 'publish', date: '2020-05-06T07:08:09' }),
      ),
    status: 201,
    contains: 'first-notes',
  },
  { about: 'the post', visit: (browser, former) => browser.get(pathOf(former)), status: 200, contains: 'First notes' },
  { about: 'the post without its last slash', visit: (browser, former) => browser.get(pathOf(former).slice(0, -1)), status: 301 },
  {
    about: 'a change of the post',
    visit: (browser, former) => {
      const id = found(pageOf(former, 'a post'), /"id":(\d+)/)
      return browser.send(`/blog/wp-json/wp/v2/posts/${id}`, api(former, { content: 'A line of a long page. '.repeat(6000) }))
    },
    status: 200,
  },
  {
    about: 'the changed post',
    visit: (browser, former) => browser.get(pathOf(former)),
    status: 200,
    contains: 'A line of a long page. '.repeat(6000).trim(),
  },
  {
    about: 'an upload',
    visit: (browser, former) =>
      browser.send('/blog/wp-json/wp/v2/media', {
        method: 'POST',
        headers: {
          'X-WP-Nonce': nonce(former),
          'Content-Type': 'image/png',
          'Content-Disposition': 'attachment; filename="pixel.png"',
        },
        body: PIXEL,
      }),
    status: 201,
    contains: 'pixel.png',
  },
  {
    about: 'the file',
    visit: (browser, former) => {
      const url = found(pageOf(former, 'an upload'), /"source_url":"([^"]*)"/).replaceAll('\\/', '/')
      return browser.get(new URL(url).pathname)
    },
    status: 200,
    contains: 'IHDR',
  },
  {
    about: 'an upload of a script',
    visit: (browser, former) =>
      browser.send('/blog/wp-json/wp/v2/media', {
        method: 'POST',
        headers: {
          'X-WP-Nonce': nonce(former),
          'Content-Type': 'image/png',
          'Content-Disposition': 'attachment; filename="x.php"',
        },
        body: '<?php echo 1;',
      }),
    status: 500,
  },
  { about: 'the feed', visit: (browser) => browser.get('/blog/feed/'), status: 200, contains: '<rss' },
  { about: 'a search', visit: (browser) => browser.get('/blog/?s=notes'), status: 200, contains: 'First notes' },
  { about: 'a page that does not exist', visit: (browser) => browser.get('/blog/none/'), status: 404 },
  { about: 'a script of the package', visit: (browser) => browser.get('/blog/wp-includes/js/underscore.min.js'), status: 200 },
  { about: 'a folder of the package', visit: (browser) => browser.get('/blog/wp-includes/js/'), status: 403 },
  { about: 'the configuration', visit: (browser) => browser.get('/blog/wp-config.php'), status: 200, lacks: 'DB_PASSWORD' },
  { about: 'the rules', visit: (browser) => browser.get('/blog/.htaccess'), status: 403 },
  {
    about: 'a comment',
    visit: (browser, former) =>
      browser.post('/blog/wp-comments-post.php', {
        comment: 'A comment',
        comment_post_ID: found(pageOf(former, 'a post'), /"id":(\d+)/),
        comment_parent: '0',
      }),
    status: 302,
  },
  {
    about: 'the post with the comment',
    visit: (browser, former) => browser.get(pathOf(former)),
    status: 200,
    contains: 'A comment',
  },
  {
    about: 'the logout',
    visit: (browser, former) =>
      browser.get(
        `/blog/wp-login.php?action=logout&_wpnonce=${found(pageOf(former, 'the administration'), /action=logout&(?:amp|#038);_wpnonce=([0-9a-f]+)/)}`,
      ),
    status: 302,
  },
  { about: 'the administration after the logout', visit: (browser) => browser.get('/blog/wp-admin/'), status: 302 },
]

export const WORDPRESS: Application = {
  name: 'wordpress',
  file: '/usr/share/wordpress/wp-login.php',
  packages: ['wordpress', 'wordpress-theme-twentytwentythree', 'mariadb-server', 'php-mysql'],
  needs: '/usr/sbin/mariadbd',
  folders: ['/usr/share/wordpress', '/etc/wordpress', '/var/lib/wordpress'],
  linked: ['/usr/share/php', '/usr/share/javascript'],
  masks: [
    // Nonces, and names of objects in memory.
    [/\b[0-9a-f]{10}\b/g, 'NONCE'],
    [/\b\d\d?:\d\d (?:am|pm)\b/g, 'HOUR'],
    // One of several hosts, at random.
    [/\b\d\.gravatar/g, 'N.gravatar'],
    [/data-pw="[^"]*"/g, 'PASSWORD'],
  ],
  configure,
  async end() {
    for (const database of started.splice(0)) await database.stop()
  },
  steps: STEPS,
}
