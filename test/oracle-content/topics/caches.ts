import type { Random } from '../../fixtures/random.ts'
import { type ContentCase, someOf } from '../content-case.ts'

/** Sequences of requests to a cache, in front of files whose fields vary. */
export function caches(random: Random): ContentCase {
  const server = [
    'CacheSocache shmcb',
    random.pick(['CacheEnable socache /', 'CacheEnable socache /', 'CacheEnable socache /a', 'CacheEnable socache http://']),
    'CacheHeader On',
    'CacheDetailHeader On',
    ...random.several(0, 5, () => rule(random)),
    ...random.several(1, 4, () => field(random)),
  ]
  return {
    server,
    files: {
      'a.html': '<p>a</p>\n',
      'b.txt': 'b\n',
      'a/c.html': 'c\n',
      'n/.htaccess': 'Header set Cache-Control no-store\n',
      'n/d.html': 'd\n',
      'k/.htaccess': 'AuthType Basic\nAuthName k\nRequire valid-user\n',
      'k/e.html': 'e\n',
    },
    requests: random.several(6, 12, () => ({
      method: random.pick(['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT']),
      target: random.pick([
        '/a.html',
        '/a.html',
        '/a.html',
        '/b.txt',
        '/a/c.html',
        '/n/d.html',
        '/k/e.html',
        '/a.html?q=1',
        '/a.html?q=2',
        '/none',
        '/a/c.html;jsessionid=12?x=1',
      ]),
      headers: Object.fromEntries(someOf(random, HEADERS, 0, 2)),
    })),
  }
}

const HEADERS: readonly (readonly [string, string])[] = [
  ['Cache-Control', 'no-cache'],
  ['Cache-Control', 'max-age=0'],
  ['Cache-Control', 'no-store'],
  ['Cache-Control', 'only-if-cached'],
  ['Pragma', 'no-cache'],
  ['Range', 'bytes=0-1'],
  ['If-None-Match', '@TAG@'],
  ['If-None-Match', '"x"'],
  ['If-Modified-Since', 'Sat, 01 Jan 2060 00:00:00 GMT'],
  ['Accept-Encoding', 'gzip'],
  ['X-V', '1'],
  ['X-V', '2'],
  ['Authorization', 'Basic YWxpY2U6c2VjcmV0'],
  ['Cache-Control', 'max-stale=100'],
  ['Cache-Control', 'min-fresh=99999'],
  ['If-Range', '@TAG@'],
]

function rule(random: Random): string {
  return random.pick([
    `CacheQuickHandler ${random.pick(['On', 'Off'])}`,
    `CacheIgnoreCacheControl ${random.pick(['On', 'Off'])}`,
    'CacheIgnoreNoLastMod On',
    'CacheIgnoreQueryString On',
    'CacheIgnoreURLSessionIdentifiers jsessionid',
    `CacheIgnoreHeaders ${random.pick(['Set-Cookie', 'X-Own', 'None'])}`,
    'CacheStoreExpired On',
    'CacheStorePrivate On',
    'CacheStoreNoStore On',
    `CacheDefaultExpire ${random.pick(['0', '10', '10000'])}`,
    `CacheMaxExpire ${random.pick(['0', '5', '100000'])}`,
    `CacheMinExpire ${random.pick(['0', '5'])}`,
    `CacheLastModifiedFactor ${random.pick(['0', '0.5', '1'])}`,
    'CacheDisable /b.txt',
    'CacheStaleOnError Off',
    'CacheKeyBaseURL http://k.example/',
    'CacheLock On',
    'SetOutputFilter DEFLATE',
    'UseCanonicalName On',
  ])
}

function field(random: Random): string {
  return random.pick([
    'Header set Cache-Control "max-age=100"',
    'Header set Cache-Control "private"',
    'Header set Cache-Control "no-cache"',
    'Header set Cache-Control "s-maxage=5, max-age=0"',
    'Header set Vary X-V',
    'Header set Vary "*"',
    'Header set Expires "0"',
    'Header set X-Own "%{REQUEST_URI}e"',
    'Header set Set-Cookie a=b',
    'Header unset Last-Modified',
    'Header unset ETag',
    'ExpiresActive On\nExpiresDefault A50',
    'Header set Cache-Control "must-revalidate, max-age=10"',
    'Header set Cache-Control "public"',
    'Header set Pragma no-cache',
    'Header set Cache-Control "no-store"',
    'Header set Cache-Control "max-age=abc"',
    'Header set Cache-Control "private=\\"X-Own\\", max-age=9"',
  ])
}
