// npm run probes:http2 [-- --servers gatewright,httpd,nginx --only hpack/ --json]: tests each server against the rules of
// RFC 9113 and RFC 7541, and prints the results. Servers that are not installed are omitted. Ends with a line
// `N passed, N failed` that counts ours, without what httpd does not do either.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CATALOGUE, NOT_DONE } from './catalogue.ts'
import { type Result, resultOf } from './probing.ts'
import { PROBED, startProbed } from './servers.ts'

/** Ms after which what another server has not done counts as not done. */
const PATIENCE = 4000

const { values: options } = parseArgs({
  options: {
    servers: { type: 'string', default: PROBED.map(({ name }) => name).join() },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'http2-probes-'))
chmodSync(folder, 0o755)
const results = new Map<string, Result[]>()
try {
  for (const name of options.servers.split(',')) {
    const kind = PROBED.find((one) => one.name === name)
    if (kind === undefined) throw new Error(`'${name}' is unknown; known are ${PROBED.map((one) => one.name).join(', ')}`)
    if (!kind.program.includes('/') && spawnSync(kind.program, ['-v']).status !== 0) {
      console.error(`${name} is not installed, and left out`)
      continue
    }
    const server = await startProbed(kind, folder)
    const list: Result[] = []
    try {
      for (const probe of CATALOGUE.filter(({ id }) => id.startsWith(options.only)))
        list.push(await resultOf(probe, server.port, PATIENCE))
    } finally {
      await server.stop()
    }
    results.set(name, list)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (options.json) console.log(JSON.stringify(Object.fromEntries(results), null, 2))
else print()
const ours = (results.get('gatewright') ?? []).filter(({ id }) => !NOT_DONE.has(id))
const passed = ours.filter(({ isPassed }) => isPassed).length
console.error(`${passed} passed, ${ours.length - passed} failed`)
process.exitCode = passed < ours.length ? 1 : 0

/** How many each server passes, then the probes that one fails. */
function print(): void {
  for (const [name, list] of results) console.log(`${name}: ${list.filter(({ isPassed }) => isPassed).length} of ${list.length}`)
  const rows = [...results.values()]
  for (const [index, { id, section }] of (rows[0] ?? []).entries()) {
    const row = rows.map((list) => list[index])
    if (row.every(({ isPassed }) => isPassed)) continue
    const cells = row.map(({ isPassed, came }) => (isPassed ? '.' : came).padEnd(34))
    console.log(`${id.padEnd(32)} ${section.padEnd(11)} ${cells.join(' ')}`.trimEnd())
  }
}
