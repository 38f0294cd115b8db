import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { replaceTogether } from '../src/replace-together.ts'

/** A folder with the files `a` and `b`. */
function folder(t: Test): { readonly root: string; readonly a: string; readonly b: string } {
  const root = t.testdir({ a: 'old a\n', b: 'old b\n' })
  return { root, a: join(root, 'a'), b: join(root, 'b') }
}

t.test('all files get their new contents, and the old ones are kept under another name', async (t) => {
  const { root, a, b } = folder(t)
  await replaceTogether([
    { path: a, content: 'new \xe9\n', old: 'old a\n', keptAs: `${a}~` },
    { path: b, content: 'new b\n', old: 'old b\n' },
    { path: join(root, 'deep/er/c'), content: 'c\n' },
  ])
  t.equal(readFileSync(a, 'latin1'), 'new \xe9\n')
  t.equal(readFileSync(`${a}~`, 'latin1'), 'old a\n')
  t.equal(readFileSync(b, 'latin1'), 'new b\n')
  t.equal(readFileSync(join(root, 'deep/er/c'), 'latin1'), 'c\n')
  t.strictSame(readdirSync(root).sort(), ['a', 'a~', 'b', 'deep'])
})

t.test('what was kept of a former run stays', async (t) => {
  const { a } = folder(t)
  writeFileSync(`${a}~`, 'first\n')
  await replaceTogether([{ path: a, content: 'new\n', old: 'old a\n', keptAs: `${a}~` }])
  t.equal(readFileSync(`${a}~`, 'latin1'), 'first\n')
})

t.test('a file that was changed meanwhile is named, and none is written', async (t) => {
  const { root, a, b } = folder(t)
  const files = [
    { path: a, content: 'new a\n', old: 'old a\n', keptAs: `${a}~` },
    { path: b, content: 'new b\n', old: 'what was read\n', keptAs: `${b}~` },
  ]
  await t.rejects(replaceTogether(files), {
    message: `${b} was changed by another program in the meantime: run the command again`,
  })
  t.equal(readFileSync(a, 'latin1'), 'old a\n')
  t.strictSame(readdirSync(root).sort(), ['a', 'b'], 'no draft and no copy is left')
})

t.test('a file that changes while the others are prepared is noticed before the first name changes', async (t) => {
  const { root, a, b } = folder(t)
  const written = replaceTogether([
    { path: a, content: 'new a\n', old: 'old a\n', keptAs: `${a}~` },
    { path: b, content: 'new b\n', old: 'old b\n', keptAs: `${b}~` },
  ])
  writeFileSync(a, 'somebody else\n')
  await t.rejects(written, { message: /a was changed by another program/ })
  t.equal(readFileSync(a, 'latin1'), 'somebody else\n')
  t.equal(readFileSync(b, 'latin1'), 'old b\n')
  t.strictSame(readdirSync(root).sort(), ['a', 'b'])
})

t.test('where one cannot be written, those before it are as they were, and new folders go', async (t) => {
  const { root, a, b } = folder(t)
  const files = [
    { path: a, content: 'new a\n', old: 'old a\n', keptAs: `${a}~` },
    { path: join(root, 'new/er/c'), content: 'c\n' },
    { path: join(b, 'below a file'), content: 'x' },
  ]
  await t.rejects(replaceTogether(files), { message: /below a file: E/, hint: /^--output requires a folder/ })
  t.equal(readFileSync(a, 'latin1'), 'old a\n')
  t.strictSame(readdirSync(root).sort(), ['a', 'b'])
})

t.test('files whose names were changed already get their old contents back', async (t) => {
  const { root, a } = folder(t)
  const place = join(root, 'c')
  const written = replaceTogether([
    { path: a, content: 'new a\n', old: 'old a\n' },
    { path: place, content: 'c\n' },
  ])
  // From now on the second file cannot get its name.
  mkdirSync(place)
  await t.rejects(written, { message: /\/c: E.*rename/ })
  t.equal(readFileSync(a, 'latin1'), 'old a\n')
  t.strictSame(readdirSync(root).sort(), ['a', 'b', 'c'])
  t.ok(statSync(place).isDirectory())
})

t.test('a signal to stop counts as long as no name has changed', async (t) => {
  const { root, a, b } = folder(t)
  const written = replaceTogether([
    { path: a, content: 'new a\n', old: 'old a\n', keptAs: `${a}~` },
    { path: b, content: 'new b\n', old: 'old b\n', keptAs: `${b}~` },
  ])
  process.emit('SIGHUP', 'SIGHUP')
  await t.rejects(written, { message: 'interrupted by SIGHUP' })
  t.equal(readFileSync(a, 'latin1'), 'old a\n')
  t.strictSame(readdirSync(root).sort(), ['a', 'b'])
  t.equal(
    process.listenerCount('SIGHUP', () => undefined),
    0,
  )
})

t.test('a link stays, and the file that it leads to is replaced and kept', async (t) => {
  const { root, a } = folder(t)
  const link = join(root, 'link')
  symlinkSync('a', link)
  await replaceTogether([{ path: link, content: 'new\n', old: 'old a\n', keptAs: `${link}~` }])
  t.equal(readFileSync(a, 'latin1'), 'new\n')
  t.equal(readFileSync(`${link}~`, 'latin1'), 'old a\n')
  t.ok(existsSync(link))
})
