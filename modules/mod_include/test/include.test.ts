import { configError, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import env from '../../mod_env/src/index.ts'
import include from '../src/index.ts'

const modules = [authzCore, env, include]
const ERROR = '[an error occurred while processing this directive]'

const CONFIG = `
SetEnv A x
<Files "*.shtml">
SetOutputFilter INCLUDES
ForceType text/html
</Files>
<Location /closed>
Require all denied
</Location>
`

const FILES = {
  'docs/part.txt': 'part',
  'docs/closed/x.txt': 'closed',
  'docs/sub/inner.shtml': 'inner(<!--#echo var="A" -->)',
  'docs/sub/sets.shtml': '<!--#set var="A" value="inner" -->set',
}

async function made(
  t: Test,
  page: string,
  target = '/p.shtml',
  more = '',
): Promise<{ body: string; length: string | undefined }> {
  const config = `<Directory />\nOptions Includes\n</Directory>\n${CONFIG}${more}`
  const server = await site({ modules, config, files: { ...FILES, 'docs/p.shtml': page } })
  t.teardown(() => server.close())
  const { status, body, header } = await server.inject(target)
  t.equal(status, 200, page)
  return { body, length: header('Content-Length') }
}

/** What httpd 2.4.71 makes of pages. */
const RESULTS: readonly (readonly [page: string, result: string])[] = [
  ['a<!--#echo var="DOCUMENT_NAME" -->b', 'ap.shtmlb'],
  ['1<!--#comment -->2<!--#comment x="y" -->3<!--#comment a b c -->4', '1234'],
  ['<!--#if expr="false" --><!--#comment x --><!--#endif -->5', '5'],
  ['<!--#echo var=A -->', 'x'],
  ['<!--#echo var=A-->e', ERROR],
  ['<!--#echo var="A"-->e', 'xe'],
  ['<!--#echo--->e', `${ERROR}e`],
  ['<!--#echo "x" -->e', `${ERROR}e`],
  ['<!--#echo ="x" -->e', `${ERROR}e`],
  ['<!--#echo var var="A" -->e', 'e'],
  ['<!--# echo var="A" -->', ERROR],
  ['<!--#set var="a" value="x\'y\\\'z" --><!--#echo var="a" -->', "x'y\\'z"],
  ["<!--#set var='a' value='x\\'y' --><!--#echo var=\"a\" -->", "x'y"],
  ["<!--#set var='a' value='x${b' -->[<!--#echo var=\"a\" -->]", '[x]'],
  ["<!--#set var='a' value='x${}y$' -->[<!--#echo var=\"a\" -->]", '[x${}y$]'],
  ['<!--#set var=q decoding="entity" value="&nbsp;&#160;&lt;&amp" --><!--#echo encoding=none var=q -->', '&nbsp;<&amp'],
  ['<!--#set var=q decoding="url" value="%zz%41%00b" --><!--#echo encoding=none var=q -->', '%zzA'],
  ['<!--#include file="part.txt" -->|<!--#include virtual="/sub/inner.shtml" -->', 'part|inner(x)'],
  ['<!--#include virtual="/sub/sets.shtml" --><!--#echo var="A" -->', 'setinner'],
  ['<!--#include file="../x" -->|<!--#include file="/etc/passwd" -->', `${ERROR}|${ERROR}`],
  ['<!--#include virtual="/closed/x.txt" -->', ERROR],
  ['<!--#include virtual="none" onerror="part.txt" -->', 'part'],
  ['<!--#include virtual="none" virtual="part.txt" -->', ERROR],
  ['<!--#include file="none" file="part.txt" -->', 'part'],
  ['<!--#fsize file="part.txt" -->|<!--#config sizefmt="bytes" --><!--#fsize virtual="/part.txt" -->', '  4 |4'],
  ['<!--#config errmsg="E" --><!--#nosuch -->', 'E'],
]

t.test('pages have the results of httpd', async (t) => {
  for (const [page, result] of RESULTS) t.equal((await made(t, page)).body, result, page)
})

const BAD = '<!--#if expr="bad(" -->'
const NO = '<!--#if expr="false" -->'
const YES = '<!--#if expr="true" -->'
const ELIF = '<!--#elif expr="true" -->'
const BAD_ELIF = '<!--#elif expr="bad(" -->'
const ELSE = '<!--#else -->'
const END = '<!--#endif -->'

/** Conditions, with what httpd 2.4.71 shows; E stands for an error. */
const CONDITIONS: readonly (readonly [page: string, result: string])[] = [
  [`${YES}1${ELSE}2${END}3`, '13'],
  [`${NO}1${ELIF}2${ELIF}3${ELSE}4${END}5`, '25'],
  [`${NO}1${ELSE}2${ELSE}3${END}4`, '24'],
  [`${BAD}1${ELSE}2${END}3`, 'E3'],
  [`${BAD}1${ELIF}2${ELSE}3${END}4`, 'E234'],
  [`${BAD}1${BAD_ELIF}2${ELIF}3${ELSE}4${END}5`, 'EE345'],
  [`${NO}1${BAD_ELIF}2${ELIF}3${ELIF}4${ELSE}5${END}6`, 'E36'],
  [`${YES}1${BAD_ELIF}2${ELSE}3${END}4`, '14'],
  [`${NO}${YES}1${ELSE}2${END}${ELSE}3${END}4`, '34'],
  [`${ELSE}1${END}2`, '2'],
  [`${YES}1${ELSE} x ${END}2`, '12'],
]

t.test('conditions choose the same parts as in httpd, also when an expression cannot be evaluated', async (t) => {
  for (const [page, result] of CONDITIONS) t.equal((await made(t, page)).body.replaceAll(ERROR, 'E'), result, page)
})

/** Expressions of the legacy parser. */
const LEGACY: readonly (readonly [expression: string, result: string])[] = [
  ['$A', 'yes'],
  ['$NONE', 'no'],
  ['$A = x && $NONE || $A', 'yes'],
  ['!$NONE', 'yes'],
  ['!$A = x', 'E'],
  ['!', 'no'],
  ['()', 'yes'],
  ['x = y z', 'no'],
  ['$A = /(x)/ && $0 = x', 'yes'],
  ["'unclosed", 'no'],
  ['x = /unclosed', 'yes'],
  ['$A = /(/', 'yes'],
  ['(a) b', 'E'],
  ['-A', 'E'],
  ['-A /part.txt', 'yes'],
  ['-A /closed/x.txt', 'no'],
  ['x & y', 'yes'],
]

t.test('the legacy parser decides as that of httpd', async (t) => {
  const legacy = '<Location /p.shtml>\nSSILegacyExprParser on\n</Location>\n'
  for (const [expression, result] of LEGACY) {
    const page = `<!--#if expr="${expression}" -->yes<!--#else -->no<!--#endif -->`
    t.equal((await made(t, page, '/p.shtml', legacy)).body.replaceAll(ERROR, 'E'), result, expression)
  }
})

t.test('a page with an element has no length, however short it is; one without keeps its length', async (t) => {
  t.equal((await made(t, '<!--#echo var="A" -->')).length, undefined)
  t.equal((await made(t, '<!--#set var="A" value="" -->')).length, undefined)
  t.equal((await made(t, '<!-- none -->')).length, '13')
})

t.test('elements that pieces of the page cut anywhere are found', async (t) => {
  // Larger than what is read of a file at once.
  const filler = '<!--'.repeat(40_000)
  const page = `${filler}#echo var="A" -->${filler}<!--#echo var="A" -->`
  t.equal((await made(t, page)).body, `${filler.slice(0, -4)}x${filler}x`)
})

t.test('a page that includes itself ends at the limit of nesting', async (t) => {
  const { body } = await made(t, '[<!--#include virtual="/p.shtml" -->]')
  t.match(body, /^\[{11}\[an error occurred/)
  t.ok(body.endsWith(']'.repeat(12)))
})

t.test('without Options Includes the page is sent as it is', async (t) => {
  const { body } = await made(t, '<!--#echo var="A" -->', '/p.shtml', '<Directory />\nOptions None\n</Directory>\n')
  t.equal(body, '<!--#echo var="A" -->')
})

t.test('own tags replace the usual ones', async (t) => {
  const { body } = await made(t, '<?echo var="A" ?>|<!--#echo var="A" -->', '/p.shtml', 'SSIStartTag "<?"\nSSIEndTag "?>"\n')
  t.equal(body, 'x|<!--#echo var="A" -->')
})

t.test('an element without an end is not kept in memory', async (t) => {
  const { body } = await made(t, `a<!--#echo var="${'x'.repeat(3_000_000)}`)
  t.equal(body, `a${ERROR}`)
})

t.test('mistakes in directives are errors of the configuration', async (t) => {
  const wrong: readonly (readonly [line: string, message: string])[] = [
    ['XBitHack half', 'XBitHack must be set to Off, On, or Full'],
    ['SSIStartTag "< ?"', 'SSIStartTag may not contain any whitespaces'],
    ['SSIEndTag "? >"', 'SSIEndTag may not contain any whitespaces'],
  ]
  for (const [line, message] of wrong) t.match(await configError({ modules, config: line }), message)
})

t.test('values that double end at 1 MiB, and all variables together at 8 MiB', async (t) => {
  const doubling = '<!--#set var="a" value="$a$a" -->'
  const long = '<!--#set var="a" value="0123456789abcdef" -->'
  t.equal((await made(t, `${long}${doubling.repeat(16)}<!--#echo var="a" -->`)).body.length, 2 ** 20)
  t.equal((await made(t, `${long}${doubling.repeat(60)}(<!--#echo var="a" -->)`)).body, '()')
  const copies = Array.from({ length: 9 }, (_, index) => `<!--#set var="b${index}" value="$a" -->`).join('')
  const { body } = await made(t, `${long}${doubling.repeat(16)}${copies}<!--#echo var="b6" -->,<!--#echo var="b7" -->`)
  t.equal(body.length, 2 * ERROR.length + 2 ** 20 + ',(none)'.length)
})
