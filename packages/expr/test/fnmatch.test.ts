import t from 'tap'
import { type FnmatchOptions, fnmatch, hasWildcards } from '../src/index.ts'

const none: FnmatchOptions = {}
const path: FnmatchOptions = { pathname: true }
const dots: FnmatchOptions = { period: true }
const both: FnmatchOptions = { pathname: true, period: true }
const blind: FnmatchOptions = { caseBlind: true }

/** Pattern, options, matching texts, other texts, according to apr_fnmatch of httpd 2.4.71. */
const rows: Readonly<
  Record<string, readonly (readonly [pattern: string, options: FnmatchOptions, yes: string[], no: string[]])[]>
> = {
  'plain text matches itself': [
    ['', none, [''], ['a']],
    ['abc', none, ['abc'], ['ab', 'abcd', 'ABC']],
    ['/a/', path, ['/a/'], ['/a', '//a/']],
  ],
  'a star takes any text': [
    ['*', none, ['', 'a', 'a/b', '.a'], []],
    ['a*', none, ['a', 'ab', 'a/b'], ['ba']],
    ['*.[ch]', none, ['x.c', '.h', 'a.b.c'], ['x.o', 'x.cc']],
    ['*a*b*c*', none, ['xaybzc', 'abc'], ['acb']],
    ['a**b', none, ['ab', 'axxb'], ['a']],
  ],
  'a question mark takes one character': [
    ['a?c', none, ['abc', 'a/c', 'a\xe9c'], ['ac', 'abbc']],
    ['??', none, ['ab'], ['a', 'abc']],
  ],
  'with pathname wildcards stop at slashes': [
    ['a*b', path, ['acb'], ['a/b']],
    ['a?b', path, ['acb'], ['a/b']],
    ['a[!x]b', path, ['acb'], ['a/b', 'axb']],
    ['a/*', path, ['a/b', 'a/', 'a/.b'], ['a/b/c', 'a']],
    ['**/b', path, ['a/b'], ['a/c/b', 'b']],
    ['*/', path, ['a/', '/'], ['']],
    ['/home/*/www', path, ['/home/x/www'], ['/home/x/y/www', '/home/www']],
    ['a[+-0]b', path, ['a.b'], ['a/b']],
  ],
  'with period a leading dot must be written': [
    ['*', dots, ['a', '', 'a.b'], ['.a', '.']],
    ['?a', dots, ['aa'], ['.a']],
    ['[.]a', dots, [], ['.a']],
    ['.*', dots, ['.a', '.'], ['a']],
    ['\\.a', dots, ['.a'], []],
    ['*.a', dots, ['b.a'], ['.a']],
    ['*/*', dots, ['a/.b'], ['.a/b']],
    ['*/*', both, ['a/b'], ['a/.b', '.a/b']],
  ],
  'a bracket takes one character of a set': [
    ['[abc]', none, ['a', 'c'], ['d', '']],
    ['[a-c]', none, ['a', 'b', 'c'], ['d', '-']],
    ['[!a-c]', none, ['d', '!'], ['a']],
    ['[^a]', none, ['b', '^'], ['a']],
    ['[]a]', none, [']', 'a'], ['[]a]']],
    ['[!]a]', none, ['b'], [']', 'a']],
    ['[-a]', none, ['-', 'a'], ['b']],
    ['[a-]', none, ['-', 'a'], ['b']],
    ['[]-a]', none, [']', '^', '_', 'a'], ['-']],
    ['[c-a]', none, [], ['a', 'b', 'c']],
    ['[\\]]', none, [']'], ['\\']],
    ['[a\\-c]', none, ['a', '-', 'c'], ['b', '\\']],
    ['[a-\\c]', none, ['b'], ['\\']],
    ['[[:alpha:]]', none, ['a]', ':]'], ['a']],
  ],
  'a bracket that is not closed is literal': [
    ['[a', none, ['[a'], ['a']],
    ['[', none, ['['], []],
    ['[]', none, ['[]'], [']']],
    ['[!]', none, ['[!]'], [']', 'a']],
    ['[a\\]', none, ['[a]'], ['a', '[a\\]']],
    ['*[a', none, ['x[a'], ['a']],
    ['a[/]b', path, ['a[/]b'], ['a/b']],
    ['a[x/]b', path, ['a[x/]b'], ['axb']],
    ['a[/]b', none, ['a/b'], ['a[/]b']],
  ],
  'a backslash makes the next character literal': [
    ['\\*', none, ['*'], ['a', '\\a']],
    ['\\a', none, ['a'], ['\\a']],
    ['a\\', none, ['a\\'], ['a']],
    ['\\[a]', none, ['[a]'], ['a']],
  ],
  'with caseBlind ASCII letters match in either case': [
    ['A*c', blind, ['abc', 'ABC'], ['b']],
    ['[A-C]', blind, ['b', 'B'], ['d']],
    ['[^A-C]', blind, ['d'], ['b', 'B']],
    ['[Z-b]', blind, ['a', '_'], ['A', 'z', 'Y']],
    ['\xe9', blind, ['\xe9'], ['\xc9']],
  ],
}

for (const [title, list] of Object.entries(rows)) {
  t.test(title, async (t) => {
    for (const [pattern, options, yes, no] of list) {
      const matcher = fnmatch(pattern, options)
      for (const text of yes) t.ok(matcher.matches(text), `${pattern} matches ${JSON.stringify(text)}`)
      for (const text of no) t.notOk(matcher.matches(text), `${pattern} does not match ${JSON.stringify(text)}`)
    }
  })
}

t.test('wildcards are a star, a question mark or a closed bracket, unless escaped', async (t) => {
  for (const pattern of ['a*', 'a?', 'a[b]', 'a[]', 'a[\\]]', '[/]', '[a*']) t.ok(hasWildcards(pattern), pattern)
  for (const pattern of ['', 'a', 'a\\*', 'a\\', 'a[b', '\\[a]', 'a[\\]', 'a]b[']) t.notOk(hasWildcards(pattern), pattern)
})

t.test('a backslash may be an ordinary character', async (t) => {
  t.ok(fnmatch('a\\*', { noEscape: true }).matches('a\\bc'))
  t.notOk(fnmatch('a\\*', { noEscape: true }).matches('a*'))
  t.ok(fnmatch('[\\a]', { noEscape: true }).matches('\\'))
  t.notOk(fnmatch('[\\a]').matches('\\'))
})

t.test('many stars cost no more than the product of the lengths', async (t) => {
  const matcher = fnmatch(`${'*a'.repeat(200)}*b`)
  t.notOk(matcher.matches('a'.repeat(5000)))
})
