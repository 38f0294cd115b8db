import t from 'tap'
import { NO_COLOURS, whoGetsIn, whoText } from '../src/index.ts'
import { AUTH, PolicySite } from './support/policy-site.ts'

t.test('a table shows who gets an answer from where', async (t) => {
  const site = new PolicySite(t, {
    config: `<Directory "@ROOT@/docs">\n${AUTH}<RequireAny>\nRequire user bob\nRequire ip 10.0.0.0/8\n</RequireAny>\n</Directory>`,
  })
  const server = await site.open()
  const who = await whoGetsIn(server, {
    method: 'GET',
    target: '/index.html',
    host: 'localhost',
    localAddress: '127.0.0.1',
    localPort: 80,
    client: '127.0.0.1',
    credentials: null,
    headers: [],
  })
  const at = who.clients.indexOf('10.0.0.1')
  const stranger = who.clients.indexOf('192.0.2.1')
  const statuses = Object.fromEntries(who.rows.map(({ user, answers }) => [user ?? '', answers.map(({ status }) => status)]))
  t.equal(statuses['']?.[at], 200)
  t.equal(statuses['']?.[stranger], 401)
  t.equal(statuses.bob?.[stranger], 200)
  t.equal(statuses.alice?.[stranger], 401)
  const text = whoText(who, NO_COLOURS).split('\n')
  t.equal(text[0], 'GET /index.html')
  t.match(text[1], /this machine \(127\.0\.0\.1\) {2}10\.0\.0\.1/)
  t.match(
    text.find((line) => line.startsWith('bob')),
    /^bob +200 +200/,
  )
})
