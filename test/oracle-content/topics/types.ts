import type { Random } from '../../fixtures/random.ts'
import { type ContentCase, placed, someOf, withHtaccess } from '../content-case.ts'

const EXTENSIONS = ['html', 'txt', 'gz', 'en', 'de', 'utf8', 'tar', 'foo', 'x', 'HTML', 'cgi', 'asis', 'var'] as const

/** Types, languages, encodings and charsets by extensions, added and removed in two folders. */
export function types(random: Random, folder: string): ContentCase {
  const names = random.several(4, 7, () => random.pick(['f', '.f', 'g.h', 'html', 'f.']) + extensions(random))
  const above = placed(
    random,
    folder,
    random.several(1, 6, () => rule(random)),
  )
  const below = random.percent(60) ? random.several(1, 4, () => rule(random)) : []
  const files: Record<string, string> = {}
  for (const name of names) {
    files[name] = 'text\n'
    files[`sub/${name}`] = 'text\n'
  }
  if (below.length > 0) files['sub/.htaccess'] = `${below.join('\n')}\n`
  const requests = names.flatMap((name) => [{ target: `/${name}` }, { target: `/sub/${name}${random.pick(['', '', '/i.txt'])}` }])
  return { server: above.server, files: withHtaccess(files, above.htaccess), requests: someOf(random, requests, 4, 9) }
}

function extensions(random: Random): string {
  return random.several(0, 3, () => `.${random.pick(EXTENSIONS)}`).join('')
}

function rule(random: Random): string {
  const ext = () => random.pick(['.', '']) + random.pick(EXTENSIONS)
  const type = random.pick([
    'text/plain',
    'text/html',
    'application/x-foo',
    'Image/GIF',
    'text/html;charset=koi8-r',
    '"text/x; a=b"',
    'none',
    'x',
    'application/octet-stream',
  ])
  return random.pick([
    () => `AddType ${type} ${ext()} ${random.percent(30) ? ext() : ''}`,
    () => `AddType ${type} ${ext()}`,
    () => `AddEncoding ${random.pick(['gzip', 'x-gzip', 'x-compress', 'br', 'GZIP'])} ${ext()}`,
    () => `AddLanguage ${random.pick(['en', 'de', 'fr-CA', 'en-US', 'x-klingon'])} ${ext()}`,
    () => `AddCharset ${random.pick(['utf-8', 'ISO-8859-1', 'Shift_JIS'])} ${ext()}`,
    () => `AddDefaultCharset ${random.pick(['On', 'Off', 'utf-8', 'iso-8859-15'])}`,
    () => `DefaultLanguage ${random.pick(['en', 'de'])}`,
    () => `ForceType ${random.pick(['text/plain', 'None', 'application/x', 'text/html;charset=x'])}`,
    () =>
      `Remove${random.pick(['Type', 'Encoding', 'Language', 'Charset', 'Handler', 'OutputFilter', 'InputFilter'])} ${ext()} ${ext()}`,
    () => `AddOutputFilter ${random.pick(['DEFLATE', 'DEFLATE;DEFLATE'])} ${ext()}`,
    () => `AddHandler ${random.pick(['send-as-is', 'default-handler', 'unknown', 'type-map'])} ${ext()}`,
    () => `SetHandler ${random.pick(['none', 'default-handler', 'unknown', '"expr=%{QUERY_STRING}"'])}`,
    () => `ModMimeUsePathInfo ${random.pick(['On', 'Off'])}`,
    () => `DefaultType ${random.pick(['none', 'text/plain'])}`,
    () => `AcceptPathInfo ${random.pick(['On', 'Off', 'Default'])}`,
    () => `FileETag ${random.pick(['None', 'All', 'Size', 'MTime Size', 'INode', '+MTime', '-Size', 'Digest', 'None Digest'])}`,
    () => `SetOutputFilter ${random.pick(['DEFLATE', 'INFLATE;DEFLATE'])}`,
  ])()
}
