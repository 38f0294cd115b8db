import { chmodSync } from 'node:fs'
import t from 'tap'
import { CATALOGUE, NOT_DONE } from './http2-probes/catalogue.ts'
import { resultOf } from './http2-probes/probing.ts'
import { PROBED, startProbed } from './http2-probes/servers.ts'

/** Ms; only a failure takes as long. */
const PATIENCE = 120_000

t.test('the server does what RFC 9113 and RFC 7541 require, but for what is stated', async (t) => {
  const kind = PROBED.find(({ name }) => name === 'gatewright')
  if (kind === undefined) throw new Error('this server is not in the list')
  const folder = t.testdir()
  chmodSync(folder, 0o755)
  const server = await startProbed(kind, folder)
  t.teardown(() => server.stop())
  for (const probe of CATALOGUE.filter(({ id }) => !NOT_DONE.has(id))) {
    const { isPassed, came } = await resultOf(probe, server.port, PATIENCE)
    t.ok(isPassed, `${probe.id} (RFC ${probe.section}): ${probe.title}; came: ${came}`)
  }
})

t.test('each probe has a unique id', async (t) => {
  t.equal(new Set(CATALOGUE.map(({ id }) => id)).size, CATALOGUE.length)
})
