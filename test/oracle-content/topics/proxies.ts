import type { Random } from '../../fixtures/random.ts'
import { type ContentCase, placed, someOf, withHtaccess } from '../content-case.ts'

/** Clients that other servers name, as mod_remoteip believes them, with access rules and fields that show the address. */
export function proxies(random: Random, folder: string): ContentCase {
  const server = [
    'RemoteIPHeader X-Forwarded-For',
    ...random.several(1, 4, () => rule(random)),
    'Header always set X-Client "expr=%{REMOTE_ADDR} %{CONN_REMOTE_ADDR}"',
    'Header always set X-Listed "%{remoteip-proxy-ip-list}n"',
  ]
  const here = placed(
    random,
    folder,
    random.several(0, 3, () => access(random)),
  )
  return {
    server: [...server, ...here.server],
    files: withHtaccess({ 'f.html': 'f\n', 'in/f.html': 'in\n', 'in/.htaccess': `${access(random)}\n` }, here.htaccess),
    requests: random.several(5, 9, () => ({
      target: random.pick(['/f.html', '/in/f.html', '/none', '/in/']),
      headers: Object.fromEntries(
        someOf(
          random,
          [
            ['X-Forwarded-For', list(random)],
            ['X-Real', list(random)],
            ['Referer', 'http://r.example/'],
            ['X-Forwarded-By', '9.9.9.9'],
          ] as const,
          1,
          3,
        ),
      ),
    })),
  }
}

function list(random: Random): string {
  const one = (): string =>
    random.pick([
      '192.0.2.1',
      '10.0.0.5',
      '127.0.0.1',
      '127.0.0.2',
      '2001:db8::1',
      '::ffff:192.0.2.7',
      'unknown',
      '192.0.2.300',
      '',
      '192.0.2.1:99',
      '[2001:db8::2]',
      ' 198.51.100.4 ',
      '10.1.2.3',
      '169.254.1.1',
      '172.16.0.1',
      '192.168.5.5',
      '198.51.100.4',
      'localhost',
      '0.0.0.0',
      '01.2.3.4',
      'fe80::1',
      '::1',
    ])
  return random.several(1, 4, one).join(random.pick([', ', ',', ' ,']))
}

function rule(random: Random): string {
  return random.pick([
    'RemoteIPInternalProxy 127.0.0.0/8',
    'RemoteIPInternalProxy 127.0.0.1 127.0.0.2',
    'RemoteIPTrustedProxy 127.0.0.0/8',
    'RemoteIPTrustedProxy 127.0.0.0/255.0.0.0 198.51.100.0/24',
    'RemoteIPInternalProxy 10.0.0.0/8',
    'RemoteIPTrustedProxy 10.0.0.0/8',
    'RemoteIPProxiesHeader X-Forwarded-By',
    'RemoteIPHeader X-Real',
    'RemoteIPInternalProxy 127.0.0.0/8 2001:db8::/32',
    'RemoteIPTrustedProxy 0.0.0.0/0',
    'RemoteIPInternalProxy 192.0.2.1',
  ])
}

function access(random: Random): string {
  return random.pick([
    'Require ip 192.0.2',
    'Require ip 127',
    'Require not ip 10.0.0.0/8\nRequire all granted',
    '<RequireAny>\nRequire ip 198.51.100.0/24\nRequire ip 2001:db8::/32\n</RequireAny>',
    'Require expr "%{REMOTE_ADDR} -ipmatch \'192.0.2.0/24\'"',
    'Require local',
    'Require all granted',
    'Order deny,allow\nDeny from 10\nAllow from 10.1',
    'SetEnvIf Remote_Addr "^192" V=seen\nHeader set X-V "%{V}e"',
    'Require forward-dns localhost',
    'Header set X-F "expr=%{req:X-Forwarded-For}"',
    'Header set X-By "expr=%{req:X-Forwarded-By}"',
    'RewriteEngine On\nRewriteCond %{REMOTE_ADDR} ^10\nRewriteRule . - [F]',
  ])
}
