import { inject } from '@gatewright/core'
import { seededNumbers } from '@gatewright/testing'
import t from 'tap'
import { AUTH, ask, PolicySite } from './support/policy-site.ts'

const LINES = [
  'Require all granted',
  'Require all denied',
  'Require ip 127.0.0.2',
  'Require ip 127',
  'Require valid-user',
  'Require user bob',
  'Require method POST',
  'Require env FROM_TEST',
  'Require not ip 127.0.0.2',
  'Require not user alice',
]

function tree(random: (below: number) => number, depth: number): string[] {
  const lines: string[] = []
  for (let count = 1 + random(3); count > 0; count--) {
    if (depth > 0 && random(3) === 0) {
      const name = ['RequireAll', 'RequireAny', 'RequireNone'][random(3)]
      lines.push(`<${name}>`, ...tree(random, depth - 1), `</${name}>`)
    } else lines.push(LINES[random(LINES.length)])
  }
  return lines
}

const VISITS: readonly Readonly<Record<string, string>>[] = [
  {},
  { Authorization: `Basic ${Buffer.from('bob:bobpw').toString('base64')}` },
  { 'X-Test': '1' },
]

const HOST_RULES = ['', '', 'Order deny,allow\nDeny from all\nAllow from 127.0.0.2', 'Order allow,deny\nAllow from 127']
const SATISFY = ['', '', 'Satisfy Any', 'Satisfy All']

t.test('a decision is the same with and without a tracer', async (t) => {
  const random = seededNumbers(4)
  const folders = Array.from({ length: 120 }, (_, index) => `f${index}`)
  const files = Object.fromEntries(
    folders.flatMap((folder) => [
      [`docs/${folder}/f`, 'x'],
      [
        `docs/${folder}/.htaccess`,
        [...tree(random, 2), HOST_RULES[random(4)], SATISFY[random(4)], random(4) === 0 ? 'AuthMerging And' : ''].join('\n'),
      ],
    ]),
  )
  const site = new PolicySite(t, {
    config: `SetEnvIf X-Test . FROM_TEST\n<Directory "@ROOT@/docs">\nAllowOverride All\n${AUTH}Require all granted\n</Directory>`,
    files,
  })
  const server = await site.open()
  const seen = new Set<number>()
  for (const folder of folders) {
    for (const headers of VISITS) {
      const question = ask({ target: `/${folder}/f`, client: random(2) === 0 ? '127.0.0.1' : '127.0.0.2' })
      const plain = await inject(server.worker, {
        target: question.target,
        remoteAddress: question.client,
        headers,
      })
      const { response } = await server.ask({ ...question, headers: Object.entries(headers) })
      seen.add(plain.status)
      t.equal(response.status, plain.status, `${files[`docs/${folder}/.htaccess`]} ${JSON.stringify(headers)}`)
    }
  }
  t.ok(seen.has(200) && seen.has(401) && seen.has(403), 'all kinds of answers occur')
})
