import t from 'tap'
import { MatchState } from '../src/index.ts'
import { condition, refusal, toyRequest } from './support/toy-lookup.ts'

/** Expression and value in httpd 2.4.71. */
const rows: Readonly<Record<string, readonly (readonly [source: string, value: boolean])[]>> = {
  'groups of a match are there for the rest of the expression': [
    ["'abc' =~ /b(.)/ && $1 == 'c'", true],
    ["'abc' =~ /b(.)/ && '$0-$1-$2' == 'bc-c-'", true],
    ["'abc' =~ /b(.)/ && $0 . $1 == 'bcc'", true],
    ["'abc' =~ /b(.)/ && toupper($1) == 'C' && '%{toupper:$1}' == 'C'", true],
    ["'abc' =~ /(b)/ && 'x$10' == 'xb0'", true],
    ["'abcdefghijklmn' =~ /(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)/ && $9 == 'i'", true],
    ["'abc' =~ /(a)/ && 'xyz' =~ /(y)/ && $1 == 'y'", true],
    ["'ab' =~ /(?<n>b)/ && $1 == 'b'", true],
    ["'aab' =~ /(?>a+)(b)/ && $1 == 'b'", true],
  ],
  'groups are empty before any match, when unset, and after a failed match': [
    ["$0 == '' && $1 == ''", true],
    ["'abc' =~ /(x)?(b)/ && '[$1]' == '[]' && $2 == 'b'", true],
    ["'abc' =~ /(b)/ && 'abc' !~ /(x)/ && $1 == '' && $0 == ''", true],
    ["'abc' !~ /(b)/ || $1 == 'b'", true],
  ],
  'a pattern without groups leaves them alone': [
    ["'abc' =~ /a/ && $0 == ''", true],
    ["'abc' =~ /(b)/ && 'abc' =~ /c/ && $1 == 'b'", true],
    ["'abc' =~ /(b)/ && 'abc' !~ /x/ && $1 == 'b'", true],
  ],
}

for (const [title, list] of Object.entries(rows)) {
  t.test(title, async (t) => {
    for (const [source, value] of list) t.equal(condition(source).evaluate(toyRequest), value, source)
  })
}

t.test('an evaluation starts without the groups of an earlier one', async (t) => {
  const parsed = condition("%{REQUEST_URI} =~ m#^/(a)# || $1 == 'a'")
  t.equal(parsed.evaluate(toyRequest), true)
  t.equal(parsed.evaluate({ variables: { REQUEST_URI: '/b' }, headers: {} }), false)
})

t.test('groups are left in the state that the caller gives', async (t) => {
  const match = new MatchState()
  condition("'abc' =~ /(?<n>b)(c)/").evaluate(toyRequest, match)
  t.equal(match.group(0), 'bc')
  t.equal(match.group(2), 'c')
  t.equal(match.group(3), '')
  condition("'abc' =~ /b/").evaluate(toyRequest, match)
  t.equal(match.group(1), 'b', 'no groups, no change')
  condition("'abc' =~ /(x)/").evaluate(toyRequest, match)
  t.equal(match.group(1), '')
})

t.test('a reference to a group whose text would not be certain is refused', async (t) => {
  t.equal(refusal("'ab' =~ /^(?:(a)|b)*$/ && $1 == ''"), 'Failed to compile regular expression')
  t.equal(refusal("'ab' =~ /^(?:(a)|b)*$/"), 'no error')
  t.equal(refusal("'ab' =~ /^(?:(a)|b)*$/ && $0 == 'ab'"), 'no error')
})
