#!/usr/bin/env node
// Compares test/conformance with the suite it is a copy of, ../shared/conformance, where that exists; --update copies it anew.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ROOT } from './inputs.cjs'

const SUITE = join(ROOT, '../shared/conformance')
const COPY = join(ROOT, 'test/conformance')

if (!existsSync(SUITE)) {
  console.log('conformance-current: nothing to compare with here, skipped')
  process.exit(0)
}
if (process.argv.includes('--update')) {
  rmSync(COPY, { recursive: true, force: true })
  cpSync(SUITE, COPY, { recursive: true })
}
const differing = filesOf(SUITE, COPY).filter((file) => !same(join(SUITE, file), join(COPY, file)))
for (const file of differing.slice(0, 20)) console.error(`differs: test/conformance/${file}`)
if (differing.length > 20) console.error(`and ${differing.length - 20} more`)
console.log(
  differing.length === 0
    ? 'conformance-current: the copy is current'
    : 'conformance-current: run `node build/conformance-current.mjs --update`',
)
process.exit(differing.length === 0 ? 0 : 1)

function filesOf(...folders) {
  const files = folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name))),
  )
  return [...new Set(files)].sort()
}

function same(one, other) {
  return existsSync(one) && existsSync(other) && readFileSync(one).equals(readFileSync(other))
}
