import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BODY_DELAY, encodeRecord, headFile, newBodyName, Places, type StoredRecord, variantKey } from '@gatewright/disk-cache'
import t from 'tap'
import { clean } from '../src/htcacheclean/clean.ts'
import { htcacheclean } from '../src/htcacheclean/htcacheclean.ts'
import { Removal, removeEmptyFolders } from '../src/htcacheclean/removal.ts'
import { storedFiles } from '../src/htcacheclean/stored-files.ts'
import { type Outcome, ours, theirs } from './support/side-by-side.ts'

const run = (...args: readonly string[]): Promise<Outcome> => ours(htcacheclean, args, '')
const missing = theirs('htcacheclean', [], '').status === null && 'htcacheclean is not installed'
const HOUR = 3_600_000

/** A cache in a folder, whose files are written as mod_cache_disk does. */
class TestCache {
  readonly root: string
  readonly #places: Places

  constructor(root: string) {
    this.root = root
    this.#places = new Places(root, 2, 2)
    mkdirSync(root, { recursive: true })
  }

  /** @param arrived, expires milliseconds from now */
  response(key: string, { size = 1000, arrived = -HOUR, expires = HOUR, body = true }): { head: string; body: string } {
    const path = this.#places.of(keyed(key))
    const name = newBodyName(path)
    const time = Date.now() + arrived
    const times = { date: time, requestTime: time, responseTime: time, expires: Date.now() + expires }
    const head = { status: 200, fields: [], requestFields: [], headerOnly: !body, ...times }
    this.write({ kind: 'response', key: keyed(key), head, body: body ? { name, size } : null })
    const file = join(dirname(path), name)
    if (body) writeFileSync(file, 'x'.repeat(size))
    return { head: headFile(path), body: file }
  }

  write(record: StoredRecord): string {
    const path = this.#places.of(record.key)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(headFile(path), encodeRecord(record))
    return headFile(path)
  }

  get files(): string[] {
    return readdirSync(this.root, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name))
  }

  async urls(): Promise<string[]> {
    return (await run('-a', '-p', this.root)).out.split('\n').filter(Boolean).sort()
  }
}

/** The key of a URL is preceded by the virtual host; that of a variant is as it is. */
function keyed(key: string): string {
  return key.startsWith('[') ? key : `h:80 *:80\n${key}`
}

/** A page that has variants, of which two are stored. */
function withVariants(cache: TestCache, url: string): void {
  const list = { kind: 'vary', key: keyed(url), names: ['accept'], generation: 'now' } as const
  cache.write(list)
  for (const type of ['text/html', 'text/plain']) cache.response(variantKey(list, [['Accept', type]]), {})
}

t.test('wrong command lines have the messages and statuses of the real program', { skip: missing }, async (t) => {
  const folder = t.testdir({ file: '' })
  const p = `-p${folder}`
  const lines = [
    ...[
      ['-p'],
      ['-x'],
      [p],
      ['-l1M'],
      [p, '-lx'],
      [p, '-l10X'],
      [p, '-l5.5K'],
      [p, '-l0'],
      [p, '-l-5'],
      [p, '-L-5'],
      [p, '-L5x'],
    ],
    ...[
      [p, '-l', ''],
      [p, '-l1', '-l2'],
      [p, p],
      ['-v', '-v', p, '-l1'],
      ['-a', '-A', p],
      ['-a', '-a', p],
      [p, '-l'],
      ['-p', '', '-l5'],
    ],
    ...[
      ['-i', p, '-l1'],
      ['-i', '-a', p],
      ['-i', '-d5', p],
      [p, '-l1', '-Rx'],
      [p, '-l1', '-R-5'],
      [p, '-l1', '-R1', '-R2'],
    ],
    ...[
      ['-d0', p, '-l1'],
      ['-dx', p, '-l1'],
      ['-D', '-d5', p, '-l1'],
      ['-v', '-d5', p, '-l1'],
      ['-r', '-d5', p, '-l1'],
      ['-a', '-d5', p],
    ],
    ...[
      [p, '-l1', 'url'],
      ['-d5', p, 'url'],
      ['-d5', p, '-l1', 'url'],
      ['-i', p, 'url'],
      ['-l99999999999999999999', p],
    ],
    ...[
      ['-p/does/not/exist', '-l1'],
      [`-p${folder}/file`, '-l1'],
      ['-a', '-p/does/not/exist'],
    ],
  ]
  for (const args of lines) {
    const firstLine = ({ status, out, err }: Outcome): unknown => ({ status, out, err: err.split('\n')[0] })
    t.strictSame(firstLine(await run(...args)), firstLine(theirs('htcacheclean', args, '')), args.join(' '))
  }
})

t.test('the figures for an empty folder are those of the real program', { skip: missing }, async (t) => {
  const folder = t.testdir()
  for (const args of [
    ['-l10K'],
    ['-L10'],
    ['-l2500'],
    ['-l1M'],
    ['-l3G'],
    ['-r', '-l1'],
    ['-D', '-t', '-l1'],
    ['-R4096', '-l1b'],
    ['url'],
  ]) {
    const line = ['-v', `-p${folder}`, ...args]
    t.strictSame(await run(...line), theirs('htcacheclean', line, ''), args.join(' '))
  }
})

t.test('responses are removed in order: from the future, expired, then from the oldest', async (t) => {
  const cache = new TestCache(join(t.testdir(), 'cache'))
  cache.response('http://h:80/old?', { arrived: -3 * HOUR })
  cache.response('http://h:80/new?', { arrived: -HOUR })
  cache.response('http://h:80/expired?', { arrived: -2 * HOUR, expires: -HOUR })
  cache.response('http://h:80/future?', { arrived: HOUR, expires: 2 * HOUR })
  const inOrder = ['future', 'expired', 'old', 'new']
  for (let left = 4; left >= 0; left--) {
    const { err } = await run('-v', '-r', '-p', cache.root, `-l${Math.max(1, left * 1500)}`)
    t.strictSame(
      await cache.urls(),
      inOrder
        .slice(4 - left)
        .map((name) => `http://h:80/${name}?`)
        .sort(),
      err,
    )
  }
  t.strictSame(cache.files, [])
  t.strictSame(readdirSync(cache.root), [], 'folders that are empty have gone')
})

t.test('limits of files and folders, and sizes that are rounded, are obeyed', async (t) => {
  const cache = new TestCache(join(t.testdir(), 'cache'))
  for (let number = 0; number < 10; number++) cache.response(`http://h:80/${number}?`, { size: 100, arrived: number - HOUR })
  const left = async (...limit: string[]): Promise<string> => (await run('-v', '-D', '-p', cache.root, ...limit)).err
  t.match(await left('-L30'), /total inodes was 40, total inodes now 30\ntotal entries was 10, total entries now 5\n/)
  t.match(await left('-R4096', '-l40K'), /total size was 80.0K, total size now 40.0K\n/)
  t.equal((await cache.urls()).length, 10, 'a dry run removes nothing')
})

t.test('the list of attributes has the fields that httpd documents', async (t) => {
  const cache = new TestCache(join(t.testdir(), 'cache'))
  cache.response('http://h:80/page?a=b', { size: 321 })
  cache.response('http://h:80/head?', { body: false })
  const lines = (await run('-A', '-p', cache.root)).out.split('\n').sort()
  t.match(lines[1], /^http:\/\/h:80\/head\? \d+ 0 200 0 \d{16} \d{16} \d{16} \d{16} 0 1$/)
  t.match(lines[2], /^http:\/\/h:80\/page\?a=b \d+ 321 200 0 \d{16} \d{16} \d{16} \d{16} 1 0$/)
})

t.test('URLs are removed with all their variants', async (t) => {
  const cache = new TestCache(join(t.testdir(), 'cache'))
  withVariants(cache, 'http://h:80/page?')
  withVariants(cache, 'http://h:80/other?')
  t.equal((await cache.urls()).length, 4)
  const { files } = cache
  t.match(await run('-v', '-D', '-p', cache.root, 'http://h:80/page?', 'http://h:80/page'), {
    status: 0,
    err: 'Removed: http://h:80/page?\nNot cached: http://h:80/page\n',
  })
  t.strictSame(cache.files, files, 'a dry run removes nothing')
  t.match(await run('-v', '-p', cache.root, 'http://h:80/page?'), { status: 0, err: 'Removed: http://h:80/page?\n' })
  t.strictSame(await cache.urls(), ['http://h:80/other?', 'http://h:80/other?'])
  t.equal(cache.files.length, 5, 'a list, two heads and two bodies')
  t.match(await run('-p', cache.root, 'http://h:80/page?'), { status: 2, out: '', err: '' })
  t.match(await run('-a', '-p', cache.root, 'http://h:80/other?'), { status: 1 })
  t.equal((await cache.urls()).length, 2, 'asking for a list removes nothing')
})

t.test('variants of a former list, and lists without variants, are removed without a need for room', async (t) => {
  const cache = new TestCache(join(t.testdir(), 'cache'))
  withVariants(cache, 'http://h:80/page?')
  cache.write({ kind: 'vary', key: keyed('http://h:80/page?'), names: ['accept'], generation: 'later' })
  t.strictSame(await cache.urls(), [])
  t.match((await run('-v', '-r', '-p', cache.root, '-l1G')).err, /\n2 entries deleted \(0 from future, 2 expired, 0 fresh\)\n/)
  t.strictSame(cache.files, [])
})

t.test('files of others, symbolic links and what is being written are left alone', async (t) => {
  const folder = t.testdir({ cache: {}, outside: { 'kept.header': '' } })
  const cache = new TestCache(join(folder, 'cache'))
  const name = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm'
  const strange = ['notes.txt', 'a.header', 'x.data', 'aptmp-mine'].map((file) => join(cache.root, file))
  const fresh = [`${name}.0123456789ab.data`, 'aptmp0123456789abcdef01234567'].map((file) => join(cache.root, file))
  const damaged = join(cache.root, `${name}.header`)
  for (const file of [...strange, ...fresh, damaged]) writeFileSync(file, 'x')
  symlinkSync(join(folder, 'outside'), join(cache.root, 'link'))
  await run('-t', '-p', cache.root, '-l1')
  for (const file of [...strange, ...fresh, damaged]) t.ok(existsSync(file), file)
  for (const file of [...fresh, damaged]) utimesSync(file, 1, 1)
  await run('-t', '-p', cache.root, '-l1')
  for (const file of [...strange, damaged]) t.ok(existsSync(file), file)
  for (const file of fresh) t.notOk(existsSync(file), `${file} was abandoned`)
  await run('-r', '-p', cache.root, '-l1')
  for (const file of strange) t.ok(existsSync(file), file)
  t.notOk(existsSync(damaged))
  t.ok(existsSync(join(folder, 'outside/kept.header')))
})

t.test('a body stays for a while after its head', async (t) => {
  const cache = new TestCache(join(t.testdir(), 'cache'))
  const files = cache.response('http://h:80/page?', {})
  const [entry] = (await storedFiles(cache.root, false)).entries
  const removal = new Removal(false, 10)
  removal.entry(entry)
  t.strictSame(cache.files, [files.body])
  await removal.end()
  t.strictSame(cache.files, [])
  t.ok(BODY_DELAY >= 10_000)
})

t.test('folders in which something was changed a moment ago are not removed', async (t) => {
  const folder = t.testdir({ old: {}, fresh: {}, full: { file: '' } })
  const folders = ['old', 'fresh', 'full'].map((name) => join(folder, name))
  for (const old of [folders[0], folders[2]]) utimesSync(old, 1, 1)
  t.equal(removeEmptyFolders(folders), 1)
  t.strictSame(readdirSync(folder).sort(), ['fresh', 'full'])
})

t.test('a folder that goes away is an error, not an empty cache', async (t) => {
  const options = { limits: { bytes: 1, inodes: 0 }, round: 1, dryRun: false, thorough: true, removesFolders: true, nice: true }
  await t.rejects(clean(join(t.testdir(), 'gone'), options), { code: 'ENOENT' })
})
