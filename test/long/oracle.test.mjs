import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { policyOf } from '../oracle/campaign.mjs'
import { differencesOf, kindOf } from '../oracle/differences.mjs'
import { configuration, policyFiles, policyRequests } from '../oracle/layout.mjs'
import { PLANTS, placesOfPlant } from '../oracle/plants.mjs'
import { describe } from '../oracle/report.mjs'
import { reasonNotToCompare } from '../oracle/sides.mjs'
import { count, section, smaller, toLines } from '../oracle/tree.mjs'

const ORACLE = join(import.meta.dirname, '../oracle/oracle.mjs')
const MODULES = ['authz_core', 'access_compat']
const SETTINGS = { modules: MODULES, requests: 4 }
const POLICY = {
  prelude: [],
  main: [section('Location', '"/@P@"', ['Require ip 127.0.0.1'])],
  htaccess: { '@P@/a': ['Require all denied'] },
  requests: [{ method: 'POST', target: '/@P@/f.txt', headers: { 'X-Flag': "it's" }, body: 'x=1', from: '127.0.0.2' }],
  virtualHost: true,
  startCheck: false,
}

const lastLine = (text) => text.trimEnd().split('\n').at(-1)

function oracle(...args) {
  return spawnSync(process.execPath, [...process.execArgv, ORACLE, ...args], { encoding: 'utf8' })
}

t.test('httpd and we decide random policies alike', { skip: reasonNotToCompare() ?? false }, async (t) => {
  const { stdout, stderr, status } = oracle('--seed', '4711', '--count', '100', '--batch', '100', '--shrink', '1')
  t.match(lastLine(stdout), /^100 policies, \d{3,4} requests, 0 differ$/, `${stdout}${stderr}`)
  t.equal(status, 0)
})

t.test('a bug that is planted is found', { skip: reasonNotToCompare() ?? false }, async (t) => {
  const { stdout, status } = oracle('--plant', 'denied-before-no-user', '--count', '100', '--shrink', '0')
  t.match(stdout, /^denied-before-no-user +found by policy \d+: /m)
  t.equal(lastLine(stdout), '1 of 1 planted bugs found')
  t.equal(status, 0)
})

t.test('every bug that can be planted finds its place in the sources', async (t) => {
  for (const name of Object.keys(PLANTS)) t.doesNotThrow(() => placesOfPlant(name), name)
})

t.test('an unknown option, and an unknown bug, end with advice', async (t) => {
  t.match(oracle('--sead', '1'), { status: 2, stderr: /^oracle: Unknown option '--sead'[\s\S]*--seed N / })
  t.match(oracle('--count', 'x'), { status: 2, stderr: /^oracle: --count needs a whole number from 1 up, not x/ })
  t.match(oracle('--plant', 'no-such'), { status: 2, stdout: /^allow-beats-deny /m })
})

t.test('a policy depends on its seed and number and on nothing else', async (t) => {
  t.same(policyOf(7, 3, SETTINGS), policyOf(7, 3, SETTINGS))
  t.not(JSON.stringify(policyOf(7, 3, SETTINGS)), JSON.stringify(policyOf(7, 4, SETTINGS)))
  t.not(JSON.stringify(policyOf(7, 3, SETTINGS)), JSON.stringify(policyOf(8, 3, SETTINGS)))
  t.equal(policyOf(7, 3, SETTINGS).requests.length, 4)
})

t.test('every cut of a tree has less in it, and every directive is left out by one', async (t) => {
  const nodes = ['Order deny,allow', section('Limit', 'GET', ['Require ip 10.1 10.2', 'Deny from all'])]
  const cuts = [...smaller(nodes)].map((cut) => toLines(cut).map((line) => line.trim()))
  const all = toLines(nodes).join('\n')
  for (const cut of cuts) t.ok(cut.join('\n').length < all.length)
  for (const line of ['Order deny,allow', '<Limit GET>', 'Require ip 10.1 10.2', 'Deny from all']) {
    t.ok(
      cuts.some((cut) => !cut.includes(line) && cut.length > 0),
      line,
    )
  }
  t.ok(
    cuts.some((cut) => cut.includes('Require ip 10.1')),
    'a word left out',
  )
  t.equal(count(nodes), 4)
})

t.test('each policy has a separate folder, virtual host and lines', async (t) => {
  const { lines, owners } = configuration(['# head'], [POLICY, POLICY])
  const place = lines.indexOf('  <Location "/p0001">')
  t.equal(owners[place], 1)
  t.equal(lines[place - 1], '  ServerName p0001.example')
  t.equal(owners[0], -1)
  t.equal(policyFiles(POLICY, 1)['p0001/a/.htaccess'], 'Require all denied\n')
  t.match(policyRequests(POLICY, 1), [{ target: '/p0001/f.txt', headers: { Host: 'p0001.example' } }])
})

t.test('a difference is reported with request, client, field and values', async (t) => {
  const response = { line: 'HTTP/1.1 200 OK', headers: { connection: 'close' } }
  const client = { from: '::1', access: ['::1 - "GET / HTTP/1.1" 200'], error: [] }
  const expected = { responses: [response], clients: [client] }
  t.same(
    differencesOf(expected, { responses: [{ ...response, headers: {} }], clients: [client] }),
    [],
    'Connection does not count',
  )
  const found = differencesOf(expected, {
    responses: [{ ...response, line: 'HTTP/1.1 403 Forbidden' }],
    clients: [{ ...client, error: ['[authz_core:error] [client ::1] AH01630: client denied'] }],
  })
  t.match(found, [
    { where: 'request 1', request: 0, field: 'line', expected: 'HTTP/1.1 200 OK', got: 'HTTP/1.1 403 Forbidden' },
    { where: 'log lines of ::1', request: -1, field: 'error' },
  ])
  t.same(found.map(kindOf), ['HTTP/1.1 200 OK | HTTP/1.1 403 Forbidden', 'error:  | AH01630'])
})

t.test('a report can be pasted: configuration, .htaccess file, curl command and both answers', async (t) => {
  const differences = [
    { where: 'request 1', request: 0, field: 'line', expected: 'HTTP/1.1 200 OK', got: 'HTTP/1.1 403 Forbidden' },
  ]
  const lines = describe('one', { policy: POLICY, differences })
    .split('\n')
    .map((line) => line.trim())
  for (const line of [
    '<Location "/p0000">',
    'Require ip 127.0.0.1',
    '# p0000/a/.htaccess',
    'Require all denied',
    "$ curl -i --path-as-is -X POST -H 'X-Flag: it'\\''s' -H 'Host: p0000.example' -d 'x=1' --interface 127.0.0.2 http://127.0.0.1:PORT/p0000/f.txt",
    'httpd HTTP/1.1 200 OK',
    'ours  HTTP/1.1 403 Forbidden',
  ]) {
    t.ok(lines.includes(line), line)
  }
})
