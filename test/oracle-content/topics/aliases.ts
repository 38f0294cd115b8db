import type { Random } from '../../fixtures/random.ts'
import { type ContentCase, placed, withHtaccess } from '../content-case.ts'

/** Alias, Redirect and their kin in all contexts, with paths that overlap. */
export function aliases(random: Random, folder: string): ContentCase {
  const server = random.several(0, 4, () => mapping(random, folder))
  const here = placed(
    random,
    folder,
    random.several(1, 3, () => redirect(random)),
  )
  const located = random.percent(40)
    ? [`<Location ${random.pick(['/a', '/a/b', '/c'])}>`, located1(random, folder), '</Location>']
    : []
  const files = { 'a/b/f.txt': 'f\n', 'a/x.html': 'x\n', 'c/x.html': 'cx\n', 'd/index.html': 'd\n', 'a b.txt': 'blank\n' }
  return {
    server: [...server, ...(random.percent(20) ? ['AliasPreservePath On'] : []), ...located, ...here.server],
    files: withHtaccess(files, here.htaccess),
    requests: random.several(4, 9, () => ({ method: random.pick(['GET', 'GET', 'HEAD', 'POST']), target: target(random) })),
  }
}

const PATHS = ['/a', '/a/', '/a/b', '/a/b/', '/c', '/c/x.html', '/m', '/m/', '/', '/d', '"/a b.txt"', '/A'] as const
const PATTERNS = [
  '^/a(.*)$',
  '^/c/([^/]+)$',
  '/b',
  '^/m/?(.*)',
  '"(?i)^/A/(.*)"',
  '^/(a|c)/(.*)\\.html$',
  '^(.*)$',
  '\\.html$',
  '^/d$',
] as const

function target(random: Random): string {
  const path = random.pick([
    '/a/b/f.txt',
    '/a/x.html',
    '/a',
    '/a/b',
    '/a/',
    '/c/x.html',
    '/c',
    '/m',
    '/m/x',
    '/d',
    '/d/',
    '/a%20b.txt',
    '/a/b/../x.html',
    '/a//b/f.txt',
    '/A/x.html',
    '/m/a%2fb',
    '/m/%3f',
    '/a/x.html/info',
    '/m/a%20b',
    '/m/%C3%A9',
    '/c/$1',
    '/m//x',
    '/ab',
  ])
  return path + random.pick(['', '', '', '?', '?q=1', '?a&b=%20'])
}

function mapping(random: Random, folder: string): string {
  const to = random.pick([folder, `${folder}/`, `${folder}/a`, `${folder}/c/`, `${folder}/d`, `${folder}/none`, 'a'])
  return random.pick([
    `Alias ${random.pick(PATHS)} ${to}`,
    `Alias ${random.pick(PATHS)} ${to}`,
    `AliasMatch ${random.pick(PATTERNS)} ${folder}${random.pick(['/a$1', '/$1', '/$2', '/a/x.html', '/$0', '$1'])}`,
    `ScriptAliasMatch ${random.pick(PATTERNS)} ${folder}${random.pick(['/a$1', '/c/$1'])}`,
    redirect(random),
    redirect(random),
  ])
}

function located1(random: Random, folder: string): string {
  return random.pick([
    `Alias ${folder}/a`,
    `Alias "${folder}/%{REQUEST_METHOD}"`,
    'Redirect /new',
    'Redirect 301 http://other.example/x',
    'Redirect gone',
    'Redirect "http://h.example/%{REQUEST_URI}"',
    'Redirect 307 "/q?%{QUERY_STRING}"',
    'Redirect 404',
  ])
}

function redirect(random: Random): string {
  const status = random.pick(['', '', '301 ', '302 ', '303 ', '307 ', '308 ', 'permanent ', 'temp ', 'seeother '])
  const url = random.pick([
    'http://other.example/',
    'http://other.example',
    'http://other.example/x?y=1',
    '/new',
    '/new/',
    'https://o.example:8443/p#f',
    '/a b',
    'relative',
    '//other.example/x',
    '?q',
    '/m/',
  ])
  const quoted = url.includes(' ') ? `"${url}"` : url
  const replaced = random.pick(['http://o.example/$1', '/n/$1', '/n$1?x=$2', 'http://o.example$0', '/n/\\$1', '/&', '/new#$1'])
  return random.pick([
    `Redirect ${status}${random.pick(PATHS)} ${quoted}`,
    `Redirect ${status}${random.pick(PATHS)} ${quoted}`,
    `RedirectMatch ${status}${random.pick(PATTERNS)} ${replaced}`,
    `RedirectMatch ${random.pick(['410', '403', '404', 'gone', '418', '500'])} ${random.pick(PATTERNS)}`,
    `Redirect ${random.pick(['gone', '410', '403', '404', '451'])} ${random.pick(PATHS)}`,
    `RedirectPermanent ${random.pick(PATHS)} ${quoted}`,
    `RedirectTemp ${random.pick(PATHS)} ${quoted}`,
    'RedirectRelative On',
    'RedirectRelative Off',
  ])
}
