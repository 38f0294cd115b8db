import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TextReader } from '@gatewright/api'
import t, { type Test } from 'tap'
import { FileBlocks, type OpenBlocks } from '../src/services/file-blocks.ts'
import { LongWork } from '../src/services/long-work.ts'
import { keptFiles, SearchedFileImpl } from '../src/services/searched-file.ts'
import { TurnClock } from '../src/services/watch-file.ts'

const LONG_AGO = new Date('2020-01-01T00:00:00Z')

/** Reads lines `key value` and records the keys whose lines it kept. */
class Lines implements TextReader<ReadonlyMap<string, string>> {
  entries = 0
  readonly whole: boolean
  readonly #keys: ReadonlySet<string> | null
  readonly #values = new Map<string, string>()
  #partial = ''

  constructor(keys: ReadonlySet<string> | null) {
    this.#keys = keys
    this.whole = keys === null
  }

  *read(part: string): Generator<undefined, boolean> {
    const lines = (this.#partial + part).split('\n')
    this.#partial = lines.pop() ?? ''
    for (const line of lines) {
      const [key = '', value = ''] = line.split(' ')
      if (this.#keys?.has(key) !== false) {
        this.#values.set(key, value)
        this.entries++
      }
      yield
    }
    return !this.#values.has('end')
  }

  *finish(): Generator<undefined, ReadonlyMap<string, string>> {
    yield
    return this.#values
  }
}

class CountingBlocks extends FileBlocks {
  opened = 0
  parts = 0

  override async open(path: string): Promise<OpenBlocks> {
    this.opened++
    const file = await super.open(path)
    return {
      next: () => {
        this.parts++
        return file.next()
      },
      close: () => file.close(),
    }
  }
}

function fixture(
  t: Test,
  content: string,
): { path: string; blocks: CountingBlocks; file: SearchedFileImpl<ReadonlyMap<string, string>> } {
  const path = join(t.testdir({}), 'lines')
  write(path, content)
  const work = new LongWork()
  const blocks = new CountingBlocks(work)
  const context = { clock: new TurnClock(), work, blocks, kept: keptFiles() }
  return { path, blocks, file: new SearchedFileImpl(path, (keys) => new Lines(keys), context) }
}

/** Old enough to be trusted. */
function write(path: string, content: string, seconds = 0): void {
  writeFileSync(path, content)
  const time = new Date(LONG_AGO.getTime() + seconds * 1000)
  utimesSync(path, time, time)
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function atOnce<T>(found: T | Promise<T>): T {
  if (found instanceof Promise) throw new Error('had to be waited for')
  return found
}

const pairs = (count: number, value = 'v'): string => Array.from({ length: count }, (_, n) => `key${n} ${value}${n}\n`).join('')

t.test('a small file is read at once, and again when it changes', async (t) => {
  const { path, file } = fixture(t, pairs(10))
  t.equal(atOnce(file.find('key3')).get('key3'), 'v3')
  t.equal(file.whole()?.size, 10)
  write(path, pairs(2, 'w'), 5)
  await nextTurn()
  t.equal(file.whole()?.get('key1'), 'w1')
  t.equal(file.whole()?.size, 2)
})

t.test('a large file is read in parts, once for all concurrent lookups, and kept until it changes', async (t) => {
  const { path, blocks, file } = fixture(t, pairs(100_000))
  t.equal(file.whole(), undefined)
  const [one, other] = await Promise.all([file.find('key3'), file.find('key99999')])
  t.equal(one.get('key3'), 'v3')
  t.equal(other, one)
  t.equal(blocks.opened, 1)
  t.ok(blocks.parts > 3, `${blocks.parts} parts`)
  t.equal(file.whole(), one)
  await nextTurn()
  t.equal(file.find('key1'), one, 'without waiting')
  write(path, pairs(100_000, 'w'), 5)
  await nextTurn()
  t.equal((await file.find('key7')).get('key7'), 'w7')
})

t.test(
  'a file that would take too much memory is searched, for all keys that were asked for meanwhile, and not kept',
  async (t) => {
    const { blocks, file } = fixture(t, pairs(250_000))
    const first = await file.find('key1')
    t.strictSame([...first], [['key1', 'v1']])
    t.equal(blocks.opened, 2, 'as a whole, and then for the key')
    const more = await Promise.all(['key2', 'key3', 'none', 'key2'].map((key) => file.find(key)))
    t.strictSame(
      [...(more[0] ?? [])],
      [
        ['key2', 'v2'],
        ['key3', 'v3'],
      ],
    )
    t.equal(more[0], more[3])
    t.equal(blocks.opened, 3)
    t.equal(file.whole(), undefined)
  },
)

t.test('no more is kept than fits, however many entries one part has', async (t) => {
  const path = join(t.testdir({}), 'lines')
  write(path, 'x'.repeat(100_000))
  const work = new LongWork()
  let most = 0
  /** Makes a million entries at the end of a file. */
  class Many extends Lines {
    override *finish(): Generator<undefined, ReadonlyMap<string, string>> {
      while (this.entries < 1_000_000 && this.whole) {
        this.entries++
        yield
      }
      most = Math.max(most, this.entries)
      return new Map([['key', 'found']])
    }
  }
  const context = { clock: new TurnClock(), work, blocks: new FileBlocks(work), kept: keptFiles() }
  const file = new SearchedFileImpl(path, (keys) => new Many(keys), context)
  t.equal((await file.find('key')).get('key'), 'found')
  t.ok(most < 300_000, `${most}`)
  t.equal(file.whole(), undefined)
})

t.test("a look-up uses the file's content at that time, not that of an earlier read in progress", async (t) => {
  const { path, file } = fixture(t, `${pairs(250_000)}`)
  await file.find('key1')
  const before = file.find('late')
  await nextTurn()
  appendFileSync(path, 'late now\n')
  await nextTurn()
  const after = file.find('late')
  t.equal((await after).get('late'), 'now')
  await before
})

t.test('nothing is read of what follows the part that ends the reading', async (t) => {
  const { blocks, file } = fixture(t, `end of it\n${'x y\n'.repeat(4_000_000)}`)
  t.equal((await file.find('end')).get('end'), 'of')
  t.equal(blocks.parts, 1)
})

t.test('others have their turns while a large file is read', async (t) => {
  const { file } = fixture(t, pairs(200_000))
  let turns = 0
  let longest = 0
  let last = performance.now()
  let reading = true
  const count = (): void => {
    turns++
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
    if (reading) setImmediate(count)
  }
  setImmediate(count)
  await file.find('key5')
  reading = false
  t.ok(turns > 40, `${turns} turns, the longest of ${longest} ms`)
})

t.test('what cannot be read is an error, at once', async (t) => {
  const { path, file } = fixture(t, 'a b\n')
  const context = { clock: new TurnClock(), work: new LongWork(), blocks: new FileBlocks(new LongWork()), kept: keptFiles() }
  const other = (name: string): SearchedFileImpl<ReadonlyMap<string, string>> =>
    new SearchedFileImpl(name, (keys) => new Lines(keys), context)
  const missing = other(`${path}-none`)
  t.throws(() => missing.find('a'), { code: 'ENOENT' })
  t.throws(() => missing.find('a'), { code: 'ENOENT' }, 'in the same turn, too')
  mkdirSync(`${path}-folder`)
  t.throws(() => other(`${path}-folder`).find('a'), { name: 'NotRegularFile' })
  t.equal(atOnce(other('/dev/null').find('a')).size, 0)
  t.ok(file.whole())
})
