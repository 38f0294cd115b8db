import { DbmError, type DbmReader } from '@gatewright/dbm'
import t from 'tap'
import { Decoys } from '../src/decoys.ts'

const SMALL = 1024
const LARGE = 1024 * 1024 * 1024

/** A database with a size, and the number of its records that were read. */
function database(size: number, hashes: readonly string[]): { readonly reader: DbmReader; read(): number } {
  let read = 0
  const reader: DbmReader = {
    size,
    damage: undefined,
    get: () => undefined,
    *entries() {
      for (const hash of hashes) {
        read++
        yield [Buffer.from('user'), Buffer.from(hash)]
      }
    },
    close: () => undefined,
  }
  return { reader, read: () => read }
}

/** The longest text counts as the most expensive hash. */
const decoys = (): Decoys => new Decoys((hashes) => [...hashes].sort((a, b) => b.length - a.length)[0])

t.test('a small database is read once for its costliest hash', async (t) => {
  const { reader, read } = database(SMALL, ['a', 'ccc:comment', 'bb'])
  const known = decoys()
  t.equal(known.of(reader), 'ccc')
  t.equal(known.of(reader), 'ccc')
  t.equal(read(), 3)
})

t.test('no record of a large database is read because of an unknown user', async (t) => {
  const { reader, read } = database(LARGE, ['a', 'ccc', 'bb'])
  const known = decoys()
  t.equal(known.of(reader), undefined)
  known.saw(reader, 'bb')
  known.saw(reader, 'a')
  t.equal(known.of(reader), 'bb')
  known.saw(reader, 'ccc')
  t.equal(known.of(reader), 'ccc')
  t.equal(read(), 0)
})

t.test('users after a damaged record do not count', async (t) => {
  const { reader } = database(SMALL, [])
  const damaged: DbmReader = {
    ...reader,
    *entries() {
      yield [Buffer.from('user'), Buffer.from('a')]
      throw new DbmError(1, 'damaged', 'damaged')
    },
  }
  t.equal(decoys().of(damaged), 'a')
})
