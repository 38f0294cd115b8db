import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { replaceFile } from '../src/replace-file.ts'

const noRoot = process.getuid?.() !== 0 && 'only root can give files away'

t.test('a file gets its new content, byte by byte, and is another file then', async (t) => {
  const file = join(t.testdir({ f: 'old\n' }), 'f')
  const before = statSync(file).ino
  replaceFile(file, 'n\xe9w\n')
  t.equal(readFileSync(file, 'latin1'), 'n\xe9w\n')
  t.not(statSync(file).ino, before, 'whoever reads the old one reads all of it')
  t.same(readdirSync(join(file, '..')), ['f'], 'nothing else is left')
})

t.test('the mode stays', async (t) => {
  const file = join(t.testdir({ f: 'old\n' }), 'f')
  for (const mode of [0o600, 0o640, 0o664, 0o2640]) {
    chmodSync(file, mode)
    replaceFile(file, 'new\n')
    t.equal(statSync(file).mode & 0o7777, mode, mode.toString(8))
  }
})

t.test('owner and group stay', { skip: noRoot }, async (t) => {
  const file = join(t.testdir({ f: 'old\n' }), 'f')
  chownSync(file, 1234, 2345)
  chmodSync(file, 0o4640)
  replaceFile(file, 'new\n')
  const { uid, gid, mode } = statSync(file)
  t.same([uid, gid, mode & 0o7777], [1234, 2345, 0o4640])
})

t.test('a file that is not there is made', async (t) => {
  const file = join(t.testdir(), 'f')
  replaceFile(file, 'new\n')
  t.equal(readFileSync(file, 'latin1'), 'new\n')
  t.equal(statSync(file).mode & 0o7777, 0o666 & ~process.umask())
})

t.test('a symbolic link stays, and what it leads to is replaced', async (t) => {
  const root = t.testdir({ real: { f: 'old\n' } })
  symlinkSync('real/f', join(root, 'link'))
  replaceFile(join(root, 'link'), 'new\n')
  t.ok(lstatSync(join(root, 'link')).isSymbolicLink())
  t.equal(readFileSync(join(root, 'real/f'), 'latin1'), 'new\n')
})

t.test('when it fails the old content is there and no draft is', async (t) => {
  const root = t.testdir({ f: 'old\n' })
  t.throws(() => replaceFile(join(root, 'nosuch/f'), 'new\n'), { code: 'ENOENT' })
  mkdirSync(join(root, 'folder'))
  t.throws(() => replaceFile(join(root, 'folder'), 'new\n'), { code: 'EISDIR' })
  writeFileSync(join(root, 'folder/f'), 'old\n')
  t.throws(() => replaceFile(join(root, 'folder'), 'new\n'))
  t.same(readdirSync(root).sort(), ['f', 'folder'])
  t.equal(readFileSync(join(root, 'f'), 'latin1'), 'old\n')
})
