// Bugs that are planted into sources, so that comparisons and fuzzers must find them, fit the sources as they are now. A run of
// all of them takes an hour; a text that was changed shows here at once.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { PLANTS as fuzzH2 } from './fuzz-h2/plants.ts'
import { PLANTS as fuzzHttp } from './fuzz-http/plants.ts'
import { PLANTS as fuzzTls } from './fuzz-tls/plants.ts'
import { PLANTS as interleaveHttp2 } from './interleave-http2/plants.ts'
import { PLANTS as oracleSsl } from './oracle-ssl-plants/plants.ts'

const ROOT = join(import.meta.dirname, '..')

interface Planted {
  readonly bug: string
  readonly file: string
  readonly find: string
}

const within = (folder: string, plants: readonly Planted[]): readonly Planted[] =>
  plants.map((plant) => ({ ...plant, file: join(folder, plant.file) }))

const SUITES: Readonly<Record<string, readonly Planted[]>> = {
  'fuzz:h2': within('packages/http2/src', fuzzH2),
  'fuzz:http': within('packages/http/src', fuzzHttp),
  'fuzz:tls': Object.values(fuzzTls).flatMap((plant) => within(`modules/${plant.module}/src`, [plant])),
  'interleave:http2': interleaveHttp2,
  'oracle:ssl-plants': oracleSsl,
}

for (const [suite, plants] of Object.entries(SUITES)) {
  t.test(`each bug of ${suite} changes its source in one place`, async (t) => {
    t.ok(plants.length > 0)
    for (const { bug, file, find } of plants)
      t.equal(readFileSync(join(ROOT, file), 'utf8').split(find).length, 2, `${bug}: ${file}`)
  })
}
