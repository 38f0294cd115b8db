import { createHash } from 'node:crypto'
import { statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { describe } from '../src/base/file-info.ts'
import { BLOCK, FileBlocks } from '../src/services/file-blocks.ts'
import { FileCache } from '../src/services/file-cache.ts'
import { FileDigests } from '../src/services/file-digests.ts'
import { LongWork } from '../src/services/long-work.ts'
import { openModule } from './support/modules.ts'

const SIZE = 20 * BLOCK + 7
const CONTENT = Buffer.alloc(SIZE, 'The quick brown fox. ')
const digestOf = (algorithm: string): string => createHash(algorithm).update(CONTENT).digest('base64')
const LONG_AGO = new Date('2020-01-01T00:00:00Z')

/** Counts reads. */
class CountingBlocks extends FileBlocks {
  files = 0
  blocks = 0
  largest = 0

  override read(path: string, take: (block: Buffer) => void): Promise<void> {
    this.files++
    return super.read(path, (block) => {
      this.blocks++
      this.largest = Math.max(this.largest, block.length)
      take(block)
    })
  }
}

function fixture(t: Test): { path: string; digests: FileDigests; blocks: CountingBlocks } {
  const path = join(t.testdir({}), 'large.bin')
  writeFileSync(path, CONTENT)
  utimesSync(path, LONG_AGO, LONG_AGO)
  const blocks = new CountingBlocks(new LongWork())
  return { path, blocks, digests: new FileDigests(new FileCache(), blocks) }
}

t.test('the digest of a large file is computed in blocks, once for all requests meanwhile, and then cached', async (t) => {
  const { path, digests, blocks } = fixture(t)
  const info = describe(statSync(path))
  const [one, other] = await Promise.all([digests.of(path, info, 'sha1'), digests.of(path, info, 'sha1')])
  t.equal(one, digestOf('sha1'))
  t.equal(other, one)
  t.strictSame([blocks.files, blocks.blocks, blocks.largest], [1, 21, BLOCK])
  t.equal(digests.of(path, info, 'sha1'), one, 'without waiting')
  t.equal(await digests.of(path, info, 'md5'), digestOf('md5'))
})

t.test('a version that is too recent to be distinguished from the next one is read each time', async (t) => {
  const { path, digests, blocks } = fixture(t)
  const now = new Date()
  utimesSync(path, now, now)
  const info = describe(statSync(path))
  await digests.of(path, info, 'sha1')
  await digests.of(path, info, 'sha1')
  t.equal(blocks.files, 2)
})

t.test('others have their turns between the blocks, and several files take turns', async (t) => {
  const { path, digests } = fixture(t)
  const second = `${path}.2`
  writeFileSync(second, CONTENT)
  let turns = 0
  let counting = true
  const count = (): void => {
    turns++
    if (counting) setImmediate(count)
  }
  setImmediate(count)
  const first = digests.of(path, describe(statSync(path)), 'sha1')
  await Promise.all([first, digests.of(second, describe(statSync(second)), 'sha1')])
  counting = false
  t.ok(turns >= 42, `${turns} turns for 42 blocks`)
})

t.test('a request for another file is answered while a digest is computed', async (t) => {
  const config = '<Directory @ROOT@/docs>\nFileETag Digest\nContentDigest On\n</Directory>'
  const server = await site({ modules: [openModule], config, files: { 'docs/small.txt': 'small', 'docs/large.bin': CONTENT } })
  t.teardown(() => server.close())
  const answered: string[] = []
  const large = server.inject('/large.bin').then((response) => {
    answered.push('large')
    return response
  })
  await new Promise((resolve) => setImmediate(resolve))
  const small = await server.inject('/small.txt')
  answered.push('small')
  const response = await large
  t.strictSame(answered, ['small', 'large'])
  t.equal(small.status, 200)
  t.equal(response.status, 200)
  t.equal(response.header('ETag'), `"${digestOf('sha1')}"`)
  t.equal(response.header('Content-MD5'), digestOf('md5'))
  t.equal(response.header('Content-Length'), String(SIZE))
})

t.test('nothing is claimed of a file that is changed while its digest is computed', async (t) => {
  const config = '<Directory @ROOT@/docs>\nFileETag Digest\n</Directory>'
  const server = await site({ modules: [openModule], config, files: { 'docs/large.bin': CONTENT } })
  t.teardown(() => server.close())
  const large = server.inject({ method: 'HEAD', target: '/large.bin' })
  await new Promise((resolve) => setImmediate(resolve))
  truncateSync(join(server.serverRoot, 'docs/large.bin'), SIZE - 1)
  const response = await large
  t.equal(response.status, 200)
  t.equal(response.header('ETag'), undefined)
  t.equal(response.header('Content-Length'), String(SIZE - 1))
})
