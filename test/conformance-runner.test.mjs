import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { DUE, notDue } from '../build/conformance-families.mjs'
import { freePorts } from '../build/conformance-ports.mjs'
import { STRICTER } from '../build/conformance-stricter.mjs'
import { WORDED } from '../build/conformance-wording.mjs'

const ROOT = join(import.meta.dirname, '..')
const CASES = join(ROOT, 'test/conformance/cases')

t.test('every recorded case is due, compared apart, or counted among the others', (t) => {
  for (const entry of DUE) t.ok(existsSync(join(CASES, entry.includes('/') ? `${entry}.case.json` : entry)), entry)
  const others = new Set(notDue().flatMap(([, cases]) => cases))
  const all = readdirSync(CASES).flatMap((family) =>
    readdirSync(join(CASES, family))
      .filter((file) => file.endsWith('.case.json'))
      .map((file) => `${family}/${file.slice(0, -'.case.json'.length)}`),
  )
  const isDue = (name) => DUE.includes(name) || DUE.includes(name.split('/')[0])
  for (const name of all) {
    const places = [isDue(name), WORDED.includes(name), name in STRICTER, others.has(name)].filter(Boolean)
    if (places.length !== 1) t.fail(`${name} stands in ${places.length} places`)
  }
  t.ok(all.length > others.size)
  t.end()
})

t.test('ports for the suite have four digits and are free in a row', async (t) => {
  const first = await freePorts(3)
  t.match(String(first), /^\d{4}$/)
  const servers = []
  t.teardown(() => {
    for (const server of servers) server.close()
  })
  for (let port = first; port < first + 3; port++) {
    await new Promise((resolve, reject) => {
      const server = createServer().on('error', reject).listen(port, resolve)
      servers.push(server)
    })
  }
  t.notOk((await freePorts(3)) === first)
})

t.test('the packages that due cases need are named one in a line', (t) => {
  const env = { ...process.env, PATH: '' }
  const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'build/conformance-packages.mjs')], {
    env,
    encoding: 'utf8',
  })
  t.equal(status, 0)
  t.match(stdout, /^([a-z0-9.+-]+\n)*$/)
  t.end()
})
