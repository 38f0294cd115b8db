import { createHash } from 'node:crypto'
import { API_VERSION, MODULE_MAGIC_COOKIE, MODULE_MAGIC_NUMBER_MAJOR } from '@gatewright/api'
import { formatStamp, type ModuleStamp } from '@gatewright/api/stamp'
import { decideModule } from '@gatewright/core'
import t from 'tap'

const BODY = 'export default {}\n'
const WRITTEN = 'modules/mod_foo.so'
const PATH = '/srv/modules/mod_foo.mjs'
const MINOR = Number(API_VERSION.split('.')[2])
const line = API_VERSION.slice(0, API_VERSION.lastIndexOf('.'))

function stampOf(changes: Partial<ModuleStamp> = {}): ModuleStamp {
  return {
    cookie: MODULE_MAGIC_COOKIE,
    api: API_VERSION,
    magic: MODULE_MAGIC_NUMBER_MAJOR,
    module: 'foo_module',
    source: 'mod_foo.c',
    digest: createHash('sha256').update(BODY).digest('hex'),
    ...changes,
  }
}

const file = (changes?: Partial<ModuleStamp>, body = BODY): Buffer => Buffer.from(formatStamp(stampOf(changes)) + body, 'latin1')
const decide = (bytes: Buffer): ReturnType<typeof decideModule> => decideModule('foo_module', WRITTEN, PATH, bytes)

t.test('a file that was built against this API is admitted, and its stamp is known', async (t) => {
  t.strictSame(decide(file()), { admitted: true, stamp: stampOf() })
})

t.test('the content after the first line may be anything that matches the digest', async (t) => {
  for (const body of ['', '\n', '\0\xff', `${formatStamp(stampOf())}x`]) {
    const digest = createHash('sha256').update(Buffer.from(body, 'latin1')).digest('hex')
    t.equal(decide(file({ digest }, body)).admitted, true, JSON.stringify(body))
  }
})

const CANNOT = (reason: string): string => `Cannot load ${WRITTEN} into server: ${PATH}: ${reason}`
const NO_STAMP = CANNOT('invalid module file, its first line is not a stamp')
const DIGEST = CANNOT('the file does not match the digest in its stamp')
const GARBLED = (saw: string): string =>
  `API module structure 'foo_module' in file ${PATH} is garbled - expected signature 41503234 but saw ${saw} - perhaps this is not an Apache module DSO, or was compiled for a different Apache version?`
const OTHER = (found: string, need: string): string =>
  `Module "mod_foo.c" is not compatible with this version of Apache (found ${found}, need ${need}). Please contact the vendor for the correct version.`
const HERE = `${MODULE_MAGIC_NUMBER_MAJOR}:${MINOR}`
const stampText = (changes: object): Buffer =>
  Buffer.from(`//! gatewright-module ${JSON.stringify({ ...stampOf(), ...changes })}\n${BODY}`)

const SECOND = /^the file contains a second stamp, /
const DAMAGED = /^the stamp in the first line is damaged: /

/** The kind of a file, its bytes, the message, and the hint. */
const REFUSED: readonly (readonly [string, Buffer, string, RegExp])[] = [
  ['an empty file', Buffer.alloc(0), CANNOT('file too short'), /^the file is empty: /],
  ['a file of one line feed', Buffer.from('\n'), NO_STAMP, /apxs -c/],
  [
    'source code',
    Buffer.from('export default 1\n'),
    NO_STAMP,
    /^modules are built, not written: build it with apxs -c and load the result$/,
  ],
  [
    'a shared object',
    Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'),
    NO_STAMP,
    /^the file is a shared object made for httpd, .*load the \.mjs/,
  ],
  [
    'a file whose stamp stands in its second line',
    Buffer.concat([Buffer.from('\n'), file()]),
    NO_STAMP,
    /^the stamp is in line 2; /,
  ],
  [
    'a file with a licence above its stamp',
    Buffer.concat([Buffer.from('// (c)\n// all rights\n'), file()]),
    NO_STAMP,
    /^the stamp is in line 3; nothing may precede it, not even a comment/,
  ],
  [
    'a file with a byte order mark',
    Buffer.concat([Buffer.from('\ufeff'), file()]),
    NO_STAMP,
    /^the stamp must be the first thing in the file/,
  ],
  ['a file whose stamp is no JSON', Buffer.from('//! gatewright-module {"cookie":\n'), NO_STAMP, DAMAGED],
  ['a file that ends within its stamp', file().subarray(0, 60), NO_STAMP, DAMAGED],
  ['a file that ends where its first line would', Buffer.from(formatStamp(stampOf()).trimEnd()), NO_STAMP, DAMAGED],
  ['a file whose stamp is null', Buffer.from('//! gatewright-module null\n'), NO_STAMP, DAMAGED],
  ['a file whose stamp lacks a field', stampText({ digest: undefined }), NO_STAMP, DAMAGED],
  ['a file whose stamp has a field of another type', stampText({ magic: '20120211' }), NO_STAMP, DAMAGED],
  ['a file whose first line has no end for a megabyte', Buffer.alloc(1 << 20, 'x'), NO_STAMP, /^modules are built/],
  ['a file with a stamp of a megabyte', stampText({ more: 'x'.repeat(1 << 20) }), NO_STAMP, DAMAGED],
  ['a file of bytes that are no text', Buffer.from('ff'.repeat(300), 'hex'), NO_STAMP, /^modules are built/],
  ['a file of zeros', Buffer.alloc(4096), NO_STAMP, /^modules are built/],
  ['two files in one', Buffer.concat([file(), file()]), DIGEST, SECOND],
  ['a file with a stamp above its stamp', Buffer.concat([Buffer.from(formatStamp(stampOf())), file()]), DIGEST, SECOND],
  [
    'a file whose line ends were changed',
    Buffer.from(file().toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
    DIGEST,
    /edited/,
  ],
  ['a file that was cut short', file(undefined, BODY.slice(0, -1)), DIGEST, /truncated or edited/],
  ['a file with one byte more', file(undefined, `${BODY}\n`), DIGEST, /truncated or edited/],
  ['a file with one byte changed', file(undefined, BODY.replace('{', '[')), DIGEST, /truncated or edited/],
  ['a file with another digest', file({ digest: '0'.repeat(64) }), DIGEST, /truncated or edited/],
  ['a file with a digest in capitals', file({ digest: stampOf().digest.toUpperCase() }), DIGEST, /truncated or edited/],
  [
    'a module of the 2.2 line',
    file({ cookie: 'AP22', api: '2.2.43', magic: 20051115 }),
    GARBLED('41503232'),
    new RegExp(
      `^mod_foo was built for the 2\\.2 module API, this server provides ${line.replace('.', '\\.')}: rebuild it .*UPGRADING`,
    ),
  ],
  ['a module of the 2.0 line', file({ cookie: 'AP20', api: '2.0.0', magic: 20020903 }), GARBLED('41503230'), /2\.0 module API/],
  [
    'a module of a line to come',
    file({ cookie: 'AP26', api: '2.6.0', magic: 20260101 }),
    GARBLED('41503236'),
    /^mod_foo was built for the 2\.6 module API, this server provides 2\.4: /,
  ],
  ['a module with an empty cookie', file({ cookie: '' }), GARBLED('00000000'), /apxs -c/],
  ['a module with a cookie in small letters', file({ cookie: 'ap24' }), GARBLED('61703234'), /apxs -c/],
  ['a module of an older major number', file({ magic: 20051115 }), OTHER('20051115', '20120211'), /apxs -c/],
  ['a module of a newer major number', file({ magic: 20260101 }), OTHER('20260101', '20120211'), /apxs -c/],
  [
    'a module of a newer patch of the API',
    file({ api: `${line}.${MINOR + 1}` }),
    OTHER(`20120211:${MINOR + 1}`, HERE),
    new RegExp(`^it was built against API ${line}\\.${MINOR + 1}, this server provides ${API_VERSION}: `),
  ],
  [
    'a module of a much newer patch',
    file({ api: `${line}.99` }),
    OTHER('20120211:99', HERE),
    /install a server that provides API/,
  ],
  ['a module of the next line', file({ api: '2.5.0' }), OTHER('20120211:0', HERE), /^it was built against API 2\.5\.0, /],
  ['a module of the line before', file({ api: '2.3.0' }), OTHER('20120211:0', HERE), /API 2\.3\.0/],
  ['a module of another major version', file({ api: '3.4.0' }), OTHER('20120211:0', HERE), /API 3\.4\.0/],
  ['a module whose version is none', file({ api: 'latest' }), OTHER('20120211:latest', HERE), /API latest/],
  ['a module whose version is a range', file({ api: '>=2.4.0' }), OTHER('20120211:>=2.4.0', HERE), /API >=2\.4\.0/],
  [
    'a module of another name',
    file({ module: 'bar_module' }),
    `Can't locate API module structure \`foo_module' in file ${PATH}: ${PATH}: undefined symbol: foo_module`,
    /^the file holds bar_module: LoadModule bar_module modules\/mod_foo\.so$/,
  ],
  [
    'a module whose name has other capitals',
    file({ module: 'Foo_module' }),
    `Can't locate API module structure \`foo_module' in file ${PATH}: ${PATH}: undefined symbol: foo_module`,
    /^the file holds Foo_module/,
  ],
]

for (const [what, bytes, message, hint] of REFUSED) {
  t.test(`${what} is refused`, async (t) => {
    const verdict = decide(bytes)
    t.equal(verdict.admitted, false)
    if (verdict.admitted) return
    t.equal(verdict.message, message)
    t.match(verdict.hint, hint)
    t.notMatch(verdict.hint, '\n', 'one line of advice')
  })
}

t.test('the cookie is checked before the numbers, and both before the digest of a foreign line', async (t) => {
  const old = decide(file({ cookie: 'AP22', magic: 20051115, digest: '' }))
  t.match(old, { admitted: false, message: GARBLED('41503232') })
})

t.test('a module built against an older patch of this line is admitted', async (t) => {
  for (let patch = 0; patch <= MINOR; patch++) t.equal(decide(file({ api: `${line}.${patch}` })).admitted, true, `${patch}`)
})

for (const [what, changes] of Object.entries({
  'an identifier': { module: '\u001b[31mred_module' },
  'an identifier that is none of a module': { module: 'foo' },
  'a source name': { source: 'mod_foo.c\u001b]0;title\u0007' },
  'an API version': { api: '2.4.1\u001b[2J' },
  'a cookie': { cookie: 'A\u001b[J' },
})) {
  t.test(`${what} that would act on a terminal is no stamp, and is never printed`, async (t) => {
    const verdict = decide(stampText(changes))
    t.equal(verdict.admitted, false)
    t.match(verdict, { message: NO_STAMP, hint: DAMAGED })
    t.notMatch(JSON.stringify(verdict), 'u001b')
  })
}

t.test('contents with control characters are left out of the stamp', async (t) => {
  const contents = { directives: ['Word\u001b[31m'], hooks: [], providers: [], more: [] }
  t.strictSame(decide(stampText({ contents })), { admitted: true, stamp: stampOf() })
})
