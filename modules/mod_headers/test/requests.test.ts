import t from 'tap'
import dir from '../../mod_dir/src/index.ts'
import { fieldsOf, headersSite } from './support/answers.ts'

const ROWS: readonly (readonly [what: string, lines: readonly string[], fields: readonly string[]])[] = [
  ['set replaces', ['set X-Q z'], ['X-Q: z']],
  ['setifempty sets an absent field', ['setifempty X-Q z', 'setifempty X-New z'], ['X-Q: a', 'X-New: z']],
  ['add appends, because a request has one field per name', ['add X-Q b', 'add X-New c'], ['X-Q: a, b', 'X-New: c']],
  ['append appends', ['append X-Q b'], ['X-Q: a, b']],
  ['merge appends an item that is not listed', ['merge X-Q a', 'merge X-Q b', 'merge X-New c'], ['X-Q: a, b', 'X-New: c']],
  ['unset removes', ['unset x-q'], []],
  ['edit replaces the first match', ['set X-Q aa', 'edit X-Q a b', 'edit X-None ^ b'], ['X-Q: ba']],
  ['edit* replaces all', ['set X-Q aa', 'edit* X-Q a b'], ['X-Q: bb']],
  ['conditions decide', ['set X-Q z expr=false', 'set X-New n expr=true'], ['X-Q: a', 'X-New: n']],
  ['values are computed', ['set X-Q "expr=%{HTTP:X-Q}%{REQUEST_URI}"'], ['X-Q: a/f.txt']],
]

for (const [what, lines, fields] of ROWS) {
  t.test(`RequestHeader: ${what}`, async (t) => {
    const config = [...lines.map((line) => `RequestHeader ${line}`), 'Header echo ^X-'].join('\n')
    const server = await headersSite(t, config)
    t.same(fieldsOf(await server.inject({ target: '/f.txt', headers: { 'X-Q': 'a' } })), fields)
  })
}

t.test('the handler sees the modified request headers', async (t) => {
  const server = await headersSite(t, 'RequestHeader set Range bytes=1-2')
  t.match(await server.inject('/f.txt'), { status: 206, body: 'el' })
})

t.test('rules are applied once for a folder and its index file', async (t) => {
  const server = await headersSite(t, 'RequestHeader add X-Q b\nHeader echo ^X-', {
    modules: [dir],
    files: { 'docs/index.html': 'index' },
  })
  const answer = await server.inject('/')
  t.equal(answer.body, 'index')
  t.same(fieldsOf(answer), ['X-Q: b'])
})

t.test('early rules are applied before sections are chosen, the others after', async (t) => {
  const server = await headersSite(
    t,
    `RequestHeader set X-Who early early
    RequestHeader set X-Late late
    <If "%{HTTP:X-Who} == 'early'">
    Header set X-If early
    </If>
    <If "%{HTTP:X-Late} == 'late'">
    Header set X-If late
    </If>
    Header echo ^X-`,
  )
  t.same(fieldsOf(await server.inject('/f.txt')), ['X-Who: early', 'X-Late: late', 'X-If: early'])
})

t.test('early rules of a section are not applied', async (t) => {
  const server = await headersSite(
    t,
    '<Location "/">\nHeader set X-A a early\nRequestHeader set X-B b early\n</Location>\nHeader echo ^X-',
  )
  t.same(fieldsOf(await server.inject('/f.txt')), [])
})

t.test('early headers are sent with TRACE, and an error removes those that are not set always', async (t) => {
  const server = await headersSite(t, 'Header set X-A a early\nHeader always set X-B b early')
  t.same(fieldsOf(await server.inject({ target: '/f.txt', method: 'TRACE' })), ['X-B: b', 'X-A: a'])
  t.same(fieldsOf(await server.inject('/none')), ['X-B: b'])
})

t.test('early rules are those of the virtual host, after those of the main server', async (t) => {
  const server = await headersSite(
    t,
    `Header append X-A main early
    <VirtualHost *:80>
    ServerName localhost
    DocumentRoot "@ROOT@/docs"
    Header append X-A vhost early
    </VirtualHost>`,
  )
  t.same(fieldsOf(await server.inject('/f.txt')), ['X-A: main, vhost'])
})

t.test('%i and %b show how busy the server is', async (t) => {
  const server = await headersSite(t, 'Header set X-Load "%i %b"')
  const answer = await server.inject('/f.txt')
  const [, idle, busy] = /^i=(\d+) b=(\d+)$/.exec(answer.header('X-Load') ?? '') ?? []
  t.ok(Number(idle) + Number(busy) >= 98 && Number(idle) + Number(busy) <= 100, answer.header('X-Load') ?? 'absent')
})
