import t from 'tap'
import { Parser } from 'tap-parser'
import {
  type CheckReport,
  type CheckResult,
  checkJson,
  checkJunit,
  checkTap,
  checkText,
  couldNotCheck,
  lintResults,
  NO_COLOURS,
} from '../../src/index.ts'
import { readXml } from './support/read-xml.ts'

const PASSED: CheckResult = {
  kind: 'expectation',
  title: 'GET / -> 200',
  passed: true,
  place: { file: '.htexpect', line: 1 },
  expected: '200',
  actual: '200 OK',
  answeredBy: {
    isVirtual: true,
    name: 'www.test',
    place: { file: '/srv/h.conf', line: 3 },
    localAddress: '127.0.0.1',
    localPort: 8430,
  },
  note: '',
  reason: '',
  explanation: null,
}
const FAILED: CheckResult = {
  ...PASSED,
  // Text from files of others: special characters of each format, control characters, invalid UTF-8.
  title: 'GET "/a#b\\c" as "<&\u001b[31m\xff\xc3\xa9>" -> 403 # TODO',
  passed: false,
  place: { file: 'a & b/.htexpect', line: 7 },
  expected: '403',
  note: 'another port',
  reason: 'granted: Require all granted ("x" .htaccess:1)\u0007',
  explanation: 'first\n  second: "x"\n\nlast',
}
const REPORT: CheckReport = { subject: 'a <site>', folder: '/srv', results: [PASSED, FAILED], milliseconds: 12.3 }

t.test('TAP is read by a parser of TAP 14, with the diagnosis of what failed', async (t) => {
  const text = checkTap(REPORT)
  t.match(text, /^TAP version 14\n1\.\.2\n/)
  const points = Parser.parse(text)
  const { ok, count, pass, fail } = resultOf(points)
  t.strictSame({ ok, count, pass, fail }, { ok: false, count: 2, pass: 1, fail: 1 })
  const asserts = points.flatMap((event) => (event[0] === 'assert' ? [event[1]] : []))
  t.notOk(asserts[1].todo, 'a title does not contain directives')
  t.equal(asserts[1].name, `GET "/a#b\\c" as "<&\\x1b[31m\xff\xc3\xa9>" -> 403 # TODO`)
  t.match(asserts[1].diag, {
    expected: '403',
    actual: '200 OK',
    at: 'a & b/.htexpect:7',
    explanation: 'first\n  second: "x"\n\nlast',
  })
})

t.test('JUnit is well-formed XML, regardless of the titles', async (t) => {
  const suites = readXml(Buffer.from(checkJunit(REPORT), 'latin1').toString())
  t.match(suites, { name: 'testsuites', attributes: { tests: '2', failures: '1', errors: '0' } })
  t.match(suites.children[0], { name: 'testsuite', attributes: { name: 'a <site>', tests: '2', failures: '1', time: '0.012' } })
  const [passed, failed] = suites.children[0].children
  t.matchOnlyStrict(passed.children, [])
  t.equal(failed.attributes.name, 'GET "/a#b\\c" as "<&\\x1b[31m\\xff\\xc3\\xa9>" -> 403 # TODO')
  t.match(failed.attributes, { file: 'a & b/.htexpect', line: '7' })
  t.match(failed.children, [{ name: 'failure', attributes: { message: 'expected 403, got 200 OK' } }])
  t.match(failed.children[0].text, /granted: Require all granted \("x" \.htaccess:1\)\\x07\n.*\n\nfirst\n {2}second/)
})

t.test('JSON has the counts and every result', async (t) => {
  const data: unknown = JSON.parse(Buffer.from(checkJson(REPORT), 'latin1').toString())
  t.match(data, { subject: 'a <site>', passed: 1, failed: 1, milliseconds: 12, results: [{ passed: true }, { passed: false }] })
})

t.test('the text report lists failures, with place and reason, and the counts', async (t) => {
  const text = checkText(REPORT, NO_COLOURS)
  t.match(
    text,
    /^x GET .* a & b\/\.htexpect:7\n {4}expected 403, got 200 OK\n {4}answered by virtual host www\.test \(h\.conf:3\), port 8430\n {4}note: another port\n {4}granted: Require all granted .*\\x07\n\n {4}first\n/,
  )
  t.match(
    text,
    /\n2 answered by virtual host www\.test \(h\.conf:3\), port 8430\nnote: another port\n1 not as expected, 1 as expected \(12 ms\)\n$/,
  )
  t.notMatch(text, /GET \/ ->/)
  t.equal(
    checkText({ ...REPORT, results: [PASSED] }, NO_COLOURS),
    '1 answered by virtual host www.test (h.conf:3), port 8430\n1 as expected (12 ms)\n',
  )
})

function resultOf(events: ReturnType<typeof Parser.parse>): { ok: boolean; count: number; pass: number; fail: number } {
  for (const event of events) if (event[0] === 'complete') return event[1]
  throw new Error('the document does not end')
}

t.test('findings of lint are results: failed if access is open, otherwise notes', async (t) => {
  const finding = { rule: 'GW001', file: '/site/a/.htaccess', line: 2, message: 'open', hint: 'close it' }
  const results = lintResults(
    [
      { ...finding, severity: 'error' },
      { ...finding, severity: 'note', line: 0 },
    ],
    '/site',
  )
  t.match(results, [
    {
      title: 'GW001 error a/.htaccess:2: open',
      passed: false,
      place: { file: 'a/.htaccess', line: 2 },
      reason: 'hint: close it',
    },
    { title: 'GW001 note a/.htaccess: open', passed: true },
  ])
  t.match(lintResults([], '/site'), [{ title: 'lint finds nothing', passed: true }])
})

t.test('what could not be checked is no success in any form', async (t) => {
  const lines = ['<no> folder', 'hint: name one']
  t.equal(couldNotCheck('tap', 'x', lines), 'TAP version 14\nBail out! <no> folder\n')
  t.match(readXml(couldNotCheck('junit', 'x', lines)), { attributes: { errors: '1' } })
  t.strictSame(JSON.parse(couldNotCheck('json', 'x', lines)), { subject: 'x', error: '<no> folder\nhint: name one' })
  t.equal(couldNotCheck('human', 'x', lines), '')
})
