import t from 'tap'
import { ExprSyntaxError, parseCondition } from '../src/index.ts'
import { refusal, toyOptions } from './support/toy-lookup.ts'

/** Expression and message in httpd 2.4.71, after `Cannot parse condition clause: `. */
const rows: Readonly<Record<string, readonly (readonly [source: string, message: string])[]>> = {
  'an operator is looked up after the next token was read': [
    ["'a' -nosuch 'b' #", "syntax error, unexpected T_ERROR, expecting $end: Binary operator '-nosuch' does not exist"],
  ],
  'an expression must not end early': [
    ['', 'syntax error, unexpected $end'],
    ["'a' ==", 'syntax error, unexpected $end'],
    ["'a'", 'syntax error, unexpected $end'],
    ['%{REMOTE_ADDR}', 'syntax error, unexpected $end'],
    ['not', 'syntax error, unexpected $end'],
    ['true and', 'syntax error, unexpected $end'],
    ['-n', 'syntax error, unexpected $end'],
    ['(', 'syntax error, unexpected $end'],
    ["'a' in {", 'syntax error, unexpected $end'],
    ["'a' in", "syntax error, unexpected $end, expecting T_ID or '{'"],
    ["'a' in {'b'", "syntax error, unexpected $end, expecting '}' or ','"],
    ["'a' =~", 'syntax error, unexpected $end, expecting T_REGEX or T_REGEX_I'],
    ["'a' =~ /a", 'syntax error, unexpected $end, expecting T_REGEX or T_REGEX_I'],
    ['(true', "syntax error, unexpected $end, expecting T_OP_OR or T_OP_AND or ')'"],
    ['TRUE', "syntax error, unexpected $end, expecting '('"],
    ['tolower', "syntax error, unexpected $end, expecting '('"],
    ["tolower('a'", "syntax error, unexpected $end, expecting T_OP_CONCAT or ')'"],
    ['1.', 'syntax error, unexpected $end'],
    ['1-eq1', 'syntax error, unexpected $end'],
  ],
  'there is no bare word, no second word, no arithmetic': [
    ["REMOTE_ADDR == 'x'", "syntax error, unexpected T_OP_STR_EQ, expecting '('"],
    ["'a' 'b'", 'syntax error, unexpected T_STR_BEGIN'],
    ['true AND true', 'syntax error, unexpected T_ID, expecting $end'],
    ['true true', 'syntax error, unexpected T_TRUE, expecting $end'],
    ["'a' == 'a' 'b'", 'syntax error, unexpected T_STR_BEGIN, expecting $end'],
    ["'a' == 'a' == 'a'", 'syntax error, unexpected T_OP_STR_EQ, expecting $end'],
    ['1-1 == 1', 'syntax error, unexpected T_DIGIT'],
    ["1a == 'a'", 'syntax error, unexpected T_ID'],
    ['1 EQ 1', 'syntax error, unexpected T_ID'],
    ['nottrue', "syntax error, unexpected $end, expecting '('"],
    ["$10 == 'x'", 'syntax error, unexpected T_DIGIT'],
    ['true == true', 'syntax error, unexpected T_OP_STR_EQ, expecting $end'],
    ["('a') == 'a'", "syntax error, unexpected ')'"],
    ['()', "syntax error, unexpected ')'"],
    ['true)', "syntax error, unexpected ')', expecting $end"],
    ["(true 'a'", "syntax error, unexpected T_STR_BEGIN, expecting T_OP_OR or T_OP_AND or ')'"],
    ["tolower() == 'a'", "syntax error, unexpected ')'"],
    ["tolower('a','b') == 'a'", "syntax error, unexpected ',', expecting T_OP_CONCAT or ')'"],
    ["'a' in 'a'", "syntax error, unexpected T_STR_BEGIN, expecting T_ID or '{'"],
    ["'a' in {}", "syntax error, unexpected '}'"],
    ["'a' in {'b',}", "syntax error, unexpected '}'"],
    ["'a' in {'a' 'b'}", "syntax error, unexpected T_STR_BEGIN, expecting '}' or ','"],
    ["'a' === 'a'", 'syntax error, unexpected T_OP_STR_EQ'],
    ["'a' <> 'a'", 'syntax error, unexpected T_OP_STR_GT'],
    ["-nx 'a'", 'syntax error, unexpected T_OP_BINARY'],
    ["'a' -i 'b'", 'syntax error, unexpected T_OP_UNARY'],
    [':', "syntax error, unexpected ':'"],
    ['||', 'syntax error, unexpected T_OP_OR'],
  ],
  'what is no token is a parse error': [
    ['& true', "Parse error near '&'"],
    [';', "Parse error near ';'"],
    ['-', "Parse error near '-'"],
    ['$', "Parse error near '$'"],
    ['%', "Parse error near '%'"],
    ["_a('a') == 'a'", "Parse error near '_'"],
    ["'a' == 'a' #c", "syntax error, unexpected T_ERROR, expecting $end: Parse error near '#'"],
    ['true & false', "syntax error, unexpected T_ERROR, expecting $end: Parse error near '&'"],
    ["'a' ~ 'a'", "syntax error, unexpected T_ERROR: Parse error near '~'"],
    ["'a' == [", "syntax error, unexpected T_ERROR: Parse error near '['"],
    ['true\r', "syntax error, unexpected T_ERROR, expecting $end: Parse error near '\r'"],
  ],
  'texts and variables must be closed': [
    ["'abc", 'Unterminated string or variable'],
    ["'a\nb' == 'a'", 'Unterminated string or variable'],
    ["'a\\", 'Unterminated string or variable'],
    [
      "'$1",
      'syntax error, unexpected T_ERROR, expecting T_STRING or T_REGEX_BACKREF or T_STR_END or T_VAR_BEGIN: Unterminated string or variable',
    ],
    ['%{REMOTE_ADDR', "syntax error, unexpected T_ERROR, expecting T_VAR_END or ':': Unterminated string or variable"],
    ["'a%{", 'syntax error, unexpected T_ERROR, expecting T_ID: Unterminated string or variable'],
    ['%{tolower:a', 'Unterminated string or variable'],
    ['%{a-b}', "syntax error, unexpected T_ERROR, expecting T_VAR_END or ':': Invalid character in variable name '-'"],
    ["%{ TIME} == ''", "syntax error, unexpected T_ERROR, expecting T_ID: Invalid character in variable name ' '"],
    ["%{} == 'a'", 'syntax error, unexpected T_VAR_END, expecting T_ID'],
    ["%{tolower:} == 'a'", 'syntax error, unexpected T_VAR_END, expecting T_ERROR or T_STRING or T_REGEX_BACKREF or T_VAR_BEGIN'],
  ],
  'escapes must be good octal numbers': [
    ["'\\9' == '9'", 'Bad escape sequence'],
    ["'\\1234' == '9'", 'Bad escape sequence'],
    ["'\\018' == '9'", 'Bad escape sequence'],
    ["'\\400' == '9'", 'Escape sequence out of bound'],
  ],
  'names must exist': [
    ["%{nosuch} == 'a'", "Variable 'nosuch' does not exist"],
    ["%{NoSuch} == 'a'", "Variable 'NoSuch' does not exist"],
    ["%{tolower} == 'A'", "Variable 'tolower' does not exist"],
    ["nosuch('a') == 'b'", "Function 'nosuch' does not exist"],
    ["%{REMOTE_ADDR:a} == 'a'", "Function 'REMOTE_ADDR' does not exist"],
    ["'a' in nosuch('a')", "List-returning function 'nosuch' does not exist"],
    ["-Q 'a'", "Unary operator '-Q' does not exist"],
    ["-D '/etc'", "Unary operator '-D' does not exist"],
    ["'a' -foo 'b'", "Binary operator '-foo' does not exist"],
    ['1 -EQ 1', "Binary operator '-EQ' does not exist"],
    ['-n %{nosuch} && %{other} == 1', "Variable 'other' does not exist"],
    ['nosuch(%{other}) == 1', "Function 'nosuch' does not exist"],
  ],
  'a syntax error carries an unknown name that came before it': [
    ["nosuch('a') ==", "syntax error, unexpected $end: Function 'nosuch' does not exist"],
    ['%{nosuch} ==', "syntax error, unexpected $end: Variable 'nosuch' does not exist"],
    [
      "('a' -foo 'b'",
      "syntax error, unexpected $end, expecting T_OP_OR or T_OP_AND or ')': Binary operator '-foo' does not exist",
    ],
    ["%{nosuch} == 'abc", 'Unterminated string or variable'],
  ],
  'regular expressions must be written as such and compile': [
    ["'abc' =~ 'b'", 'syntax error, unexpected T_STR_BEGIN, expecting T_REGEX or T_REGEX_I'],
    ["'a' !~ 1", 'syntax error, unexpected T_DIGIT, expecting T_REGEX or T_REGEX_I'],
    ["'a' =~ m_a_", 'syntax error, unexpected T_ID, expecting T_REGEX or T_REGEX_I'],
    ["'a' =~ m{a}", 'syntax error, unexpected T_ID, expecting T_REGEX or T_REGEX_I'],
    ["'a' =~ /a/g", 'syntax error, unexpected T_ID, expecting $end'],
    ["'a' =~ /a/ii", 'syntax error, unexpected T_ID, expecting $end'],
    ['/a/', 'syntax error, unexpected T_REGEX'],
    ["'abc' =~ /(/", 'Failed to compile regular expression'],
    ["'a/b' =~ /a\\/b/", 'Failed to compile regular expression'],
    ['%{nosuch} =~ /(/', "Failed to compile regular expression: Variable 'nosuch' does not exist"],
    ["'a' =~ /(?R)?/", 'Failed to compile regular expression'],
  ],
  'operators may insist on a literal': [
    ['-R %{REMOTE_ADDR}', '-R requires subnet/netmask as constant argument'],
    ["-R tolower('1.2.3.4')", '-R requires subnet/netmask as constant argument'],
    ["-R '1.2.' . '3.4'", '-R requires subnet/netmask as constant argument'],
    ['-R 10', '-R requires subnet/netmask as constant argument'],
    ['-R %{nosuch}', '-R requires subnet/netmask as constant argument'],
    ["-R 'x'", 'parsing of subnet/netmask failed'],
    ["-R 'x' &&", 'syntax error, unexpected $end: parsing of subnet/netmask failed'],
    ["'1.2.3.4' -ipmatch %{HTTPS}", '-ipmatch requires subnet/netmask as constant argument'],
  ],
}

for (const [title, list] of Object.entries(rows)) {
  t.test(title, async (t) => {
    for (const [source, message] of list) t.equal(refusal(source), message, source)
  })
}

t.test('quotes in the argument of %{function:...} are refused, since httpd does not survive them', async (t) => {
  t.equal(refusal("%{tolower:A'B} == 'x'"), "Parse error near '''")
  t.equal(refusal('%{tolower:A"B}', 'string'), "Parse error near '\"'")
})

t.test('functions that read files are refused in a restricted context', async (t) => {
  for (const source of ["file('/etc/x') == 'a'", "'%{FILE:/etc/x}' == 'a'"]) {
    t.equal(refusal(source, 'condition', { ...toyOptions, context: 'restricted' }), 'file not available in restricted context')
    t.equal(refusal(source), 'no error')
  }
  t.equal(
    refusal('%{File:/etc/x}', 'string', { ...toyOptions, context: 'restricted' }),
    'file not available in restricted context',
  )
})

t.test('a hint describes the error in a regular expression', async (t) => {
  const parsed = parseCondition("'a' =~ /a(?|b)/", toyOptions)
  t.ok(parsed instanceof ExprSyntaxError)
  t.match(parsed, { hint: "branch reset (?|...) is not supported (at 1 of 'a(?|b)')" })
})
