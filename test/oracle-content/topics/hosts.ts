import type { Random } from '../../fixtures/random.ts'
import { type ContentCase, placed, withHtaccess } from '../content-case.ts'

/** Names of hosts and paths that depend on them: aliases, canonical names, folders by name, folders of users. */
export function hosts(random: Random, folder: string): ContentCase {
  const server = random.several(1, 4, () => rule(random, folder))
  const here = placed(
    random,
    folder,
    random.several(0, 2, () => inFolder(random)),
  )
  const files = {
    'index.html': 'index\n',
    'f.html': 'f\n',
    'sub/index.html': 'sub\n',
    'a/b/f.html': 'abf\n',
    'www/f.html': 'www\n',
    'old/f.html': 'old\n',
    'users/root/f.html': 'root\n',
  }
  return {
    server: [...server, ...here.server],
    files: withHtaccess(files, here.htaccess),
    requests: random.several(4, 9, () => ({
      method: random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST']),
      target: random.pick([
        '/',
        '/f.html',
        '/sub',
        '/sub/',
        '/old/f.html',
        '/old',
        '/~root/f.html',
        '/~root',
        '/~nobody/',
        '/~/',
        '/a/b',
        '/~root/../x',
        '/none',
        '/index.html/x',
        '/~no%2fbody/x',
        '//sub',
        '/~root/?q',
      ]),
      host: random.pick([
        '@HOST@:@PORT@',
        '@HOST@',
        '@HOST@:99',
        '@HOST@.',
        'www.@HOST@:@PORT@',
        'alias-@HOST@',
        'WWW.@HOST@',
        'x.y.z.@HOST@:@PORT@',
        '@HOST@:',
        'alias-@HOST@.:@PORT@',
      ]),
      ...(random.percent(20) ? { headers: { Cookie: random.pick(['Apache=1.2', 'name=v; own=1', 'own=x']) } } : {}),
    })),
  }
}

function rule(random: Random, folder: string): string {
  // The name of the host is that of its folder.
  const name = folder.slice(folder.lastIndexOf('/') + 1)
  return random.pick([
    () => `ServerAlias www.${name} alias-${name}`,
    () => `ServerAlias *.${name}`,
    () => `ServerAlias ???.${name} alias*${name}`,
    () => `ServerPath /${random.pick(['old', 'old/', 'none'])}`,
    () => `UseCanonicalName ${random.pick(['On', 'Off'])}`,
    () => `UseCanonicalPhysicalPort ${random.pick(['On', 'Off'])}`,
    () => `VirtualDocumentRoot ${folder}/${format(random)}`,
    () => `VirtualDocumentRoot ${folder}/${format(random)}`,
    // The servers have different addresses, which begin alike.
    () => `VirtualDocumentRootIP ${folder}/${random.pick(['%1.%2', '%1', '%2', '%-2'])}`,
    () => `VirtualScriptAlias ${folder}/${format(random)}`,
    () =>
      `UserDir ${random.pick([`${folder}/users`, `${folder}/users/*/`, 'http://u.example/*/x', 'http://u.example/', 'disabled', 'disabled root', 'public_html', `${folder}/none ${folder}/users`, 'enabled root', 'none.x'])}`,
    () => `CookieTracking On\nCookieExpires 3600`,
    () =>
      `CookieName own\nCookieTracking ${random.pick(['On', 'Off'])}\nCookieStyle ${random.pick(['Netscape', 'Cookie', 'Cookie2', 'RFC2109', 'RFC2965'])}`,
    () =>
      `CookieTracking On\nCookieDomain .example.com\nCookieSameSite ${random.pick(['Strict', 'Lax', 'None', '0'])}\nCookieSecure ${random.pick(['On', 'Off'])}\nCookieHttpOnly On`,
    () => 'ServerSignature On',
    () => `Redirect ${random.pick(['/none /x', '/old http://o.example/', '301 /a/b /f.html'])}`,
    () => `ServerAdmin ${random.pick(['a@x.example', 'http://admin.example/'])}\nServerSignature EMail`,
  ])()
}

function format(random: Random): string {
  const part = (): string =>
    random.pick([
      '%0',
      '%1',
      '%2',
      '%-1',
      '%-2',
      '%1+',
      '%2+',
      '%-2+',
      '%1.1',
      '%1.2',
      '%1.-1',
      '%1.2+',
      '%p',
      '%%',
      'www',
      '%3',
      '%1.1.%1.2',
      '%-1.-2+',
      'x',
    ])
  return random.several(1, 3, part).join(random.pick(['/', '/', '-', '.']))
}

function inFolder(random: Random): string {
  return random.pick([
    'Header set X-N "expr=%{SERVER_NAME} %{HTTP_HOST} %{SERVER_PORT}"',
    'Header always set X-R "expr=%{DOCUMENT_ROOT} %{REQUEST_FILENAME}"',
    'DirectorySlash Off',
    'Options +Indexes',
    'DirectoryIndex f.html',
    'RewriteEngine On\nRewriteRule ^none$ /f.html [R]',
    'RewriteEngine On\nRewriteCond %{HTTP_HOST} ^www\nRewriteRule . http://other.example%{REQUEST_URI} [R=301,L]',
    'Require expr "%{HTTP_HOST} =~ /^[a-z]/"',
    'Header set X-U "%{UserDir}e"',
    'UserDir disabled',
    'ErrorDocument 404 /f.html',
    'CookieTracking Off',
    'CookieTracking On',
  ])
}
