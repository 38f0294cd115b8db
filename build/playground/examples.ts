import type { Case, GivenFile, GivenRequest } from './engine/question-case.ts'
import { exampleSite } from './example-site.ts'

/** A case to begin with. */
export interface Example {
  readonly title: string
  readonly given: Case
}

const CONF = '/etc/httpd/httpd.conf'
const SITE = '/var/www/html'
const STANDARD: GivenRequest = { method: 'GET', url: '/', fields: '', client: '127.0.0.1', user: '', password: null }

/** The cases that the page offers, the first of which it begins with. */
export function examples(): Example[] {
  return [
    ours('Who gets in: a network, or a user', NETWORK_OR_USER, { url: '/intern/', client: '192.0.2.7' }),
    site('A .htaccess file with a password', PASSWORD_FILES, { url: '/private/plan.html' }),
    ours('2.2: Order, Allow, Deny and Satisfy', OLD_RULES, { url: '/old/', client: '10.1.2.3' }),
    ours('Virtual hosts, and a redirect to https', VIRTUAL_HOSTS, { url: 'http://www.example.org/shop' }),
    site('Rewriting, as WordPress does it', WORDPRESS, { url: '/2026/spring' }),
    ours('Methods: everybody reads, one group writes', METHODS, { url: '/notes/today.txt', method: 'PUT', user: 'ada' }),
    ours('Behind a proxy: whose address is it?', REMOTE_ADDRESS, {
      url: '/admin/',
      client: '10.0.0.5',
      fields: 'X-Forwarded-For: 203.0.113.9',
    }),
    ours('Conditions: <If> and expressions', CONDITIONS, { url: '/files/report.pdf', fields: 'Referer: https://other.example/' }),
    ours('A configuration with mistakes', MISTAKES, { url: '/' }),
    {
      title: 'The example site of Gatewright',
      given: { ...exampleSite(), request: { ...STANDARD, url: '/private/', user: 'guest', password: 'gatewright' } },
    },
  ]
}

function ours(title: string, files: readonly GivenFile[], request: Partial<GivenRequest>): Example {
  return { title, given: { start: CONF, files, request: { ...STANDARD, ...request } } }
}

function site(title: string, files: readonly GivenFile[], request: Partial<GivenRequest>): Example {
  return { title, given: { start: SITE, files, request: { ...STANDARD, ...request } } }
}

function configuration(text: string): GivenFile {
  return { path: CONF, text }
}

/** The configuration of one server, which serves SITE. */
function serverConfiguration(rest: string): GivenFile {
  return configuration(`ServerName www.example.org\nListen 80\nDocumentRoot "${SITE}"\n\n${rest}`)
}

/** The password of both is `secret`. */
const USERS: GivenFile = {
  path: '/etc/httpd/users',
  text: 'ada:$2y$05$ce4W5qaomNKc9KGWzXaahOWRqGuqTIfBp4u/jFuJqt16SsAlk3uBq\nbob:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n',
}

const NETWORK_OR_USER: readonly GivenFile[] = [
  serverConfiguration(`<Directory "/var/www/html">
  Require all granted
</Directory>

# The office, or anybody with a password; but not the guests' network.
<Directory "/var/www/html/intern">
  AuthType Basic
  AuthName "Staff"
  AuthUserFile /etc/httpd/users
  <RequireAll>
    <RequireAny>
      Require ip 10.0.0.0/8
      Require valid-user
    </RequireAny>
    Require not ip 10.99.0.0/16
  </RequireAll>
</Directory>
`),
  USERS,
  { path: '/var/www/html/index.html', text: 'Welcome\n' },
  { path: '/var/www/html/intern/index.html', text: 'Staff only\n' },
]

const PASSWORD_FILES: readonly GivenFile[] = [
  {
    path: '/var/www/html/private/.htaccess',
    text: 'AuthType Basic\nAuthName "Plans"\nAuthUserFile /etc/httpd/users\nRequire user ada\n\nHeader set Cache-Control "no-store"\n',
  },
  USERS,
  { path: '/var/www/html/private/plan.html', text: 'The plan\n' },
]

const OLD_RULES: readonly GivenFile[] = [
  serverConfiguration(`<Directory "/var/www/html">
  AllowOverride Limit AuthConfig
  Order allow,deny
  Allow from all
</Directory>

<Directory "/var/www/html/old">
  Order deny,allow
  Deny from all
  Allow from 10.0.0.0/8 192.168.1.0/24
  AuthType Basic
  AuthName "Old pages"
  AuthUserFile /etc/httpd/users
  Require valid-user
  Satisfy any
</Directory>
`),
  { path: '/var/www/html/old/reports/.htaccess', text: 'Order allow,deny\nAllow from all\nDeny from 10.1.2.3\n' },
  USERS,
  { path: '/var/www/html/old/index.html', text: 'Old\n' },
  { path: '/var/www/html/old/reports/index.html', text: 'Reports\n' },
]

const VIRTUAL_HOSTS: readonly GivenFile[] = [
  configuration(`ServerName main.example.org
Listen 80
Listen 8443
DocumentRoot "/var/www/html"

<Directory "/var/www">
  Require all granted
</Directory>

<VirtualHost *:80>
  ServerName www.example.org
  ServerAlias example.org
  DocumentRoot "/var/www/www"
  Alias /logo /var/www/shared/logo.svg
  RewriteEngine on
  RewriteRule ^/shop(.*)$ https://shop.example.org/$1 [R=301,L]
</VirtualHost>

<VirtualHost *:80>
  ServerName files.example.org
  DocumentRoot "/var/www/files"
  <Directory "/var/www/files">
    Options +Indexes
  </Directory>
</VirtualHost>
`),
  { path: '/var/www/www/index.html', text: 'Hello\n' },
  { path: '/var/www/shared/logo.svg', text: '<svg xmlns="http://www.w3.org/2000/svg"/>\n' },
  { path: '/var/www/files/a.txt', text: 'a\n' },
]

const WORDPRESS: readonly GivenFile[] = [
  {
    path: '/var/www/html/.htaccess',
    text: `# BEGIN WordPress
<IfModule mod_rewrite.c>
RewriteEngine On
RewriteBase /
RewriteRule ^index\\.php$ - [L]
RewriteCond %{REQUEST_FILENAME} !-f
RewriteCond %{REQUEST_FILENAME} !-d
RewriteRule . /index.php [L]
</IfModule>
# END WordPress

<Files "wp-config.php">
  Require all denied
</Files>
`,
  },
  { path: '/var/www/html/index.php', text: '<?php\n' },
  { path: '/var/www/html/wp-config.php', text: '<?php\n' },
  { path: '/var/www/html/style.css', text: 'body { margin: 0 }\n' },
]

const METHODS: readonly GivenFile[] = [
  serverConfiguration(`<Directory "/var/www/html">
  Require all granted
</Directory>

<Directory "/var/www/html/notes">
  AuthType Basic
  AuthName "Notes"
  AuthUserFile /etc/httpd/users
  AuthGroupFile /etc/httpd/groups
  <LimitExcept GET HEAD OPTIONS>
    Require group editors
  </LimitExcept>
</Directory>
`),
  USERS,
  { path: '/etc/httpd/groups', text: 'editors: bob\n' },
  { path: '/var/www/html/notes/today.txt', text: 'today\n' },
]

const REMOTE_ADDRESS: readonly GivenFile[] = [
  serverConfiguration(`RemoteIPHeader X-Forwarded-For
RemoteIPInternalProxy 10.0.0.0/8

<Directory "/var/www/html">
  Require all granted
</Directory>

<Location "/admin">
  Require ip 10.0.0.0/8
</Location>
`),
  { path: '/var/www/html/admin/index.html', text: 'Admin\n' },
]

const CONDITIONS: readonly GivenFile[] = [
  serverConfiguration(`<Directory "/var/www/html">
  Require all granted
</Directory>

<Directory "/var/www/html/files">
  <If "%{HTTP:Referer} !~ m#^(?:$|https?://www\\.example\\.org/)#">
    Require all denied
  </If>
  <Else>
    Header set Cache-Control "max-age=3600"
  </Else>
</Directory>

<FilesMatch "\\.pdf$">
  Header set Content-Disposition attachment
</FilesMatch>
`),
  { path: '/var/www/html/files/report.pdf', text: '%PDF\n' },
]

const MISTAKES: readonly GivenFile[] = [
  serverConfiguration(`<Directory "/var/www/html">
  Requir all granted
  Options Indexs
</Directory>

<Location "/status">
  SetHandler server-status
  Order allow, deny
</Location>
`),
  { path: '/var/www/html/index.html', text: 'Hello\n' },
]
