import t from 'tap'
import { MatchState } from '../src/index.ts'
import { condition, refusal, template, toyRequest } from './support/toy-lookup.ts'

/** Source and text in httpd 2.4.71. */
const rows: readonly (readonly [source: string, text: string])[] = [
  ['', ''],
  ['plain', 'plain'],
  ['"quotes" \'stay\'', '"quotes" \'stay\''],
  ['%', '%'],
  ['%%', '%%'],
  ['50%', '50%'],
  ['%a $a $', '%a $a $'],
  ['{}', '{}'],
  ['a\\tb\\n\\r\\f\\b', 'a\tb\n\r\f\b'],
  ['\\101\\1', 'A\x01'],
  ['\\377', '\xff'],
  ['\\q\\\\\\x41', 'q\\x41'],
  ['\\%{HTTPS} \\$1', '%{HTTPS} $1'],
  ['%{HTTPS}', 'off'],
  ['%{https}}', 'off}'],
  ['%{REMOTE_ADDR}:%{HTTPS}', '127.0.0.1:off'],
  ['$1', ''],
  ['$10', '0'],
  ['%{req:X-A}%{req:nosuch}', 'a'],
  ['%{tolower:A:{B%C$D}', 'a:{b%c$d'],
  ['%{tolower:A\\}B}', 'a}b'],
  ['%{tolower:A\\101B}', 'aab'],
  ['%{tolower:%{req:%{tolower:X-B}}}', 'b1'],
  ['a\\0b', 'a'],
  ['a\\0b%{tolower:C}', 'ac'],
]

t.test('a string is text with variables, functions and escapes in it', async (t) => {
  for (const [source, text] of rows) t.equal(template(source).evaluate(toyRequest), text, JSON.stringify(source))
})

t.test('a string without specials is a constant', async (t) => {
  t.equal(template('plain').constant, 'plain')
  t.equal(template('').constant, '')
  t.equal(template('a\\101').constant, 'aA')
  t.equal(template('50% of %{tolower:ALL}').constant, '50% of all')
  t.equal(template('%{HTTPS}').constant, undefined)
  t.equal(template('$1').constant, undefined)
})

t.test('a bad string is refused with the message of httpd', async (t) => {
  const errors: readonly (readonly [string, string])[] = [
    ['%{nosuch}', "Variable 'nosuch' does not exist"],
    ['%{nosuch:%{other}}', "Function 'nosuch' does not exist"],
    ['%{nosuch}%{other}', "Variable 'other' does not exist"],
    ['%{HTTPS', "syntax error, unexpected T_ERROR, expecting T_VAR_END or ':': Unterminated string or variable"],
    ['%{tolower:a', 'Unterminated string or variable'],
    ['a\\', 'Unterminated string or variable'],
    ['%{9}', "syntax error, unexpected T_ERROR, expecting T_ID: Invalid character in variable name '9'"],
    ['\\9', 'Bad escape sequence'],
    ['%{HTTPS}\\9', 'syntax error, unexpected T_ERROR, expecting $end: Bad escape sequence'],
    [
      '%{tolower:$1\\9}',
      'syntax error, unexpected T_ERROR, expecting T_STRING or T_REGEX_BACKREF or T_VAR_BEGIN or T_VAR_END: Bad escape sequence',
    ],
    ['\\777', 'Escape sequence out of bound'],
  ]
  for (const [source, message] of errors) t.equal(refusal(source, 'string'), message, source)
})

t.test('a condition hands its groups to a string', async (t) => {
  const match = new MatchState()
  t.equal(template('[$1]').evaluate(toyRequest, match), '[]')
  t.ok(condition('%{REQUEST_URI} =~ m#^/(.)/(.)$#').evaluate(toyRequest, match))
  t.equal(template('$0 $1 $2 $3 %{toupper:$2}').evaluate(toyRequest, match), '/a/b a b  B')
})

t.test('names of the variables used are reported in upper case', async (t) => {
  t.same([...template('%{https} %{req:x} %{tolower:%{Remote_Addr}}').mentions], ['HTTPS', 'REMOTE_ADDR'])
  t.same([...condition("-n %{https} && 'x' in {%{Empty}}").mentions], ['HTTPS', 'EMPTY'])
  t.equal(condition("'REMOTE_ADDR' == 'x'").mentions.size, 0)
})
