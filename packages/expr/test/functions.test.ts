import t from 'tap'
import { ExprRuntimeError, ExprSyntaxError, parseString } from '../src/index.ts'
import { condition, template, toyRequest } from './support/toy-lookup.ts'

/** Text with a function and its value in httpd 2.4.71. */
const rows: Readonly<Record<string, readonly (readonly [source: string, value: string])[]>> = {
  'tolower and toupper change ASCII letters only': [
    ['%{tolower:ABC\xc9}', 'abc\xc9'],
    ['%{TOLOWER:ABC}', 'abc'],
    ['%{toupper:abc\xe9}', 'ABC\xe9'],
  ],
  'escape encodes what a path must not hold': [
    ['%{escape:a b/c?}', 'a%20b/c%3f'],
    ['%{escape:\xe9%}', '%e9%25'],
    ['%{escape:~!*()_-.;:@&=+$,}', '~!*()_-.;:@&=+$,'],
    ['%{escape:a#<>^\\\\|[]{`}', 'a%23%3c%3e%5e%5c%7c%5b%5d%7b%60'],
    ['%{escape:\\001\\177}', '%01%7f'],
  ],
  'unescape keeps slashes and gives nothing for bad input': [
    ['%{unescape:a%20b}', 'a b'],
    ['%{unescape:a%2fb%41}', 'a%2fbA'],
    ['%{unescape:%2F}', '%2F'],
    ['%{unescape:a+b%25%e9}', 'a+b%\xe9'],
    ['%{unescape:a%zz}', ''],
    ['%{unescape:a%4}', ''],
    ['%{unescape:%}', ''],
    ['%{unescape:a%00b}', ''],
  ],
  'base64 and unbase64': [
    ['%{base64:abc}', 'YWJj'],
    ['%{base64:\\377}', '/w=='],
    ['%{unbase64:YWJj}', 'abc'],
    ['%{unbase64:YWJjZA==}', 'abcd'],
    ['%{unbase64:YW}', 'a'],
    ['%{unbase64:Y}', ''],
    ['%{unbase64:YWJj=ZGVm}', 'abc'],
    ['%{unbase64:YW Jj}', 'a'],
    ['%{unbase64:YWJj_-}', 'abc'],
    ['%{unbase64:YQBi}', 'a'],
    ['%{unbase64:!!!}', ''],
  ],
  'digests are lower-case hexadecimal': [
    ['%{md5:abc}', '900150983cd24fb0d6963f7d28e17f72'],
    ['%{sha1:abc}', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ['%{md5:\\0}', 'd41d8cd98f00b204e9800998ecf8427e'],
  ],
  'ldap escapes what names and filters give a meaning': [
    ['%{ldap:a*b}', 'a\\2ab'],
    ['%{ldap:a(b)c\\\\,+;<>}', 'a\\28b\\29c\\5c\\2c\\2b\\3b\\3c\\3e'],
    ['%{ldap:\\001\xe9 #/=}', '\\01\\e9 #/='],
  ],
}

for (const [title, list] of Object.entries(rows)) {
  t.test(title, async (t) => {
    for (const [source, value] of list) t.equal(template(source).evaluate(toyRequest), value, source)
  })
}

t.test('a built-in function of a constant is worked out when it is parsed', async (t) => {
  t.equal(template('<%{tolower:A%{toupper:b}}>').constant, '<ab>')
  t.equal(template('<%{tolower:%{req:x-b}}>').constant, undefined)
  t.equal(template('<%{tolower:%{req:x-b}}>').evaluate(toyRequest), '<b1>')
})

t.test('functions nest and take words', async (t) => {
  for (const source of [
    "tolower(toupper('a') . 'B') == 'ab'",
    "tolower(1) == '1'",
    "tolower(%{req:X-B}) == 'b1'",
    "req('x-' . tolower('A')) == 'a'",
    "md5('') == 'd41d8cd98f00b204e9800998ecf8427e'",
  ]) {
    t.equal(condition(source).evaluate(toyRequest), true, source)
  }
})

t.test('a function of the lookup may prepare for a constant argument', async (t) => {
  const prepared: string[] = []
  const lookup = {
    variable: () => undefined,
    listFunction: () => undefined,
    unaryOperator: () => undefined,
    binaryOperator: () => undefined,
    stringFunction: () => ({
      call: (request: string, argument: string) => `called ${request} ${argument}`,
      prepare(constant: string) {
        prepared.push(constant)
        return (request: string) => `prepared ${request} ${constant}`
      },
    }),
  }
  t.equal(prepareAndRun('%{f:x%{tolower:Y}}'), 'prepared R xy')
  t.equal(prepareAndRun('%{f:$1}'), 'called R ')
  t.same(prepared, ['xy'])

  function prepareAndRun(source: string): string {
    const parsed = parseString<string>(source, { lookup })
    return parsed instanceof ExprSyntaxError ? parsed.message : parsed.evaluate('R')
  }
})

t.test('a function that fails ends the evaluation', async (t) => {
  t.throws(() => template('%{file:/x}').evaluate(toyRequest), new ExprRuntimeError('Cannot open file /x'))
  t.throws(() => condition("file('/x') == ''").evaluate(toyRequest), ExprRuntimeError)
})
