// npm run probes [-- --servers gatewright,apache2,nginx,node --only framing/ --json]: tests each server
// against the rules of RFC 9110 and RFC 9112, and prints the results. Servers that are not installed are
// omitted. Ends with a line `N passed, N failed` that counts our MUSTs; those of recorded-httpd.ts are not
// failures.
import { parseArgs } from 'node:util'
import { CATALOGUE } from './catalogue.ts'
import { probedSite } from './probed-site.ts'
import { probe, type Result } from './probing.ts'
import { RECORDED_HTTPD } from './recorded-httpd.ts'
import { apache2 } from './servers/apache2.ts'
import { gatewright } from './servers/gatewright.ts'
import { nginx } from './servers/nginx.ts'
import { node } from './servers/node.ts'
import { table } from './table.ts'
import { complaints } from './verdict.ts'

const CONTESTANTS = [gatewright, apache2, nginx, node]

const { values: options } = parseArgs({
  options: {
    servers: { type: 'string', default: CONTESTANTS.map(({ name }) => name).join() },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
})
const say = options.json ? console.error : console.log
const probes = CATALOGUE.filter(({ id }) => id.startsWith(options.only))
const results = new Map<string, Result[]>()
const site = probedSite()
try {
  for (const name of options.servers.split(',')) {
    const contestant = CONTESTANTS.find((one) => one.name === name)
    if (contestant === undefined) throw new Error(`no server is called ${name}`)
    if (contestant.isInstalled()) results.set(name, await probe(contestant, site, probes))
    else say(`${name} is not installed, and left out`)
  }
} finally {
  site.remove()
}
if (options.json) console.log(JSON.stringify(plain(), null, 2))
else say(table(results))
const ours = results.get('gatewright') ?? []
const recorded = RECORDED_HTTPD.filter(({ probe: id }) => id.startsWith(options.only))
const wrong = results.has('gatewright') ? complaints(ours, results.get('apache2'), recorded) : []
for (const { probe: id, reason } of recorded) say(`as httpd: ${id}: ${reason}`)
for (const text of wrong) say(`FAILED: ${text}`)
say(
  `${ours.filter(({ probe: { level }, verdict }) => level === 'MUST' && verdict === 'passed').length} passed, ${wrong.length} failed`,
)
process.exitCode = wrong.length > 0 || probes.length === 0 ? 1 : 0

function plain(): object {
  return Object.fromEntries(
    [...results].map(([name, list]) => [
      name,
      list.map(({ probe: { id, section, level }, verdict, came }) => ({ id, section, level, verdict, came })),
    ]),
  )
}
