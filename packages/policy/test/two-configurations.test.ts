import t, { type Test } from 'tap'
import { type Proof, proveAlike } from '../src/index.ts'
import { AUTH, MigrateSite } from './support/migrate-site.ts'

const BOTH = `${AUTH}Order allow,deny\nDeny from all\nSatisfy ALL\nAllow from 192.0.2.1\nRequire valid-user\n`

const section = (lines: string): string => `<Directory "@ROOT@/docs">\n${lines}</Directory>\n`

/** Compares two texts of a section. */
function compared(t: Test, old: string, now: string): Promise<Proof> {
  const site = new MigrateSite(t, '')
  return proveAlike(site.side(section(old)), site.side(section(now)), 20_000)
}

/**
 * The guide's table from 2.2 to 2.4, both halves unchanged, with the answers to the request that
 * distinguishes them.
 */
const ROWS: readonly {
  readonly name: string
  readonly old: string
  readonly new: string
  readonly statuses?: readonly [number, number]
}[] = [
  { name: 'all denied', old: 'Order deny,allow\nDeny from all\n', new: 'Require all denied\n' },
  { name: 'all granted', old: 'Order allow,deny\nAllow from all\n', new: 'Require all granted\n' },
  { name: 'a domain', old: 'Order Deny,Allow\nDeny from all\nAllow from example.org\n', new: 'Require host example.org\n' },
  {
    name: 'host control that is merely switched off',
    old: `${AUTH}Order Deny,Allow\nAllow from all\nRequire valid-user\n`,
    new: `${AUTH}Require valid-user\n`,
  },
  {
    name: 'both criteria',
    old: BOTH,
    new: `${AUTH}<RequireAll>\n  Require valid-user\n  Require ip 192.0.2.1\n</RequireAll>\n`,
    statuses: [403, 401],
  },
  {
    name: 'either criterion',
    old: BOTH.replace('ALL', 'any'),
    new: `${AUTH}Require valid-user\nRequire ip 192.0.2.1\n`,
    statuses: [401, 404],
  },
]

for (const { name, old, new: now, statuses } of ROWS)
  t.test(
    `the guide's pair "${name}" ${statuses === undefined ? 'is equal' : 'is not equal, and a request shows it'}`,
    async (t) => {
      const { difference, classes } = await compared(t, old, now)
      t.ok(classes > 0)
      if (statuses === undefined) t.equal(difference, null)
      else
        t.match(difference, {
          question: { client: '192.0.2.1', method: 'GET', credentials: null },
          before: { status: statuses[0] },
          after: { status: statuses[1] },
        })
    },
  )

t.test('a place that only one of two configurations distinguishes is tested', async (t) => {
  const old = 'Order allow,deny\nAllow from all\n'
  const { difference } = await compared(t, old, 'Require all granted\n<Files "*.key">\n  Require ip 10\n</Files>\n')
  t.match(difference, { question: { target: /x\.key$/ }, before: { status: 404 }, after: { status: 403 } })
  const hidden = `<Directory "@ROOT@/elsewhere">\nRequire ip 10\n</Directory>\n`
  const site = new MigrateSite(t, '')
  const both = await proveAlike(site.side(section(old)), site.side(section(old) + hidden), 20_000)
  t.match(both.difference, { question: { target: /^\/\.gatewright-folder-\d+\// }, after: { status: 403 } })
})

t.test('rules under a condition that was not made to hold are named', async (t) => {
  const conditional = `Require all granted\n<If "%{HTTP:X-Strange} == 'unlikely'">\nRequire all denied\n</If>\n`
  const { difference, sampled } = await compared(t, 'Require all granted\n', conditional)
  t.equal(difference, null)
  t.match(sampled.join('\n'), /<If .*no request made its condition hold/)
})
