import t from 'tap'
import { misnamedFiles } from '../build/file-names.mjs'

const FILES = ['packages/log/src/error-line.ts', 'packages/log/src/level.ts', 'packages/log/src/word.ts']

t.test('names in kebab-case pass, with the names of modules and words that only look like two', async (t) => {
  const files = [...FILES, 'a/authz-groupfile.test.ts', 'a/group-file.ts', 'a/hostname.ts', 'a/host-name.ts']
  t.strictSame(misnamedFiles(files, ['authz_groupfile']), [])
})

t.test('words that run together are found in all parts of a name, if other files have these words', async (t) => {
  const files = [...FILES, 'a/errorlevelline.ts', 'a/a-wordline.test.ts', 'a/other.ts']
  t.strictSame(misnamedFiles(files, []), [
    'a/errorlevelline.ts: write error-level-line.ts',
    'a/a-wordline.test.ts: write a-word-line.test.ts',
  ])
})

t.test('capitals and underscores are replaced', async (t) => {
  t.strictSame(misnamedFiles(['a/httpDate.ts', 'a/per_second.ts'], []), [
    'a/httpDate.ts: write http-date.ts',
    'a/per_second.ts: write per-second.ts',
  ])
})
