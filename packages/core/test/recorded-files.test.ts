import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { FileSource, RecordingSource, ReplayedSource } from '../src/index.ts'

t.test('what was looked up when the configuration was read holds for the processes that follow', (t) => {
  const folder = t.testdir({ full: 'x', empty: '' })
  mkdirSync(join(folder, 'folder'))
  const recording = new RecordingSource(new FileSource())
  const names = ['full', 'empty', 'folder', 'none', 'full/below']
  const kinds = names.map((name) => recording.fileKind(join(folder, name)))
  t.strictSame(kinds, ['file', 'empty', 'directory', 'missing', 'missing'])
  for (const name of ['full', 'empty', 'folder']) rmSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'none'), 'x')
  const replayed = new ReplayedSource(recording.record)
  t.strictSame(
    names.map((name) => replayed.fileKind(join(folder, name))),
    kinds,
  )
  t.equal(new ReplayedSource(recording.record).fileKind(folder), 'directory', 'others are looked up')
  t.end()
})
