#!/usr/bin/env node
// Compares test/conformance with the suite it is a copy of, ../shared/conformance, if present; --update
// copies it again. Families that the suite does not have belong to the project and are not compared.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { ROOT } from './inputs.cjs'

const SUITE = join(ROOT, '../shared/conformance')
const COPY = join(ROOT, 'test/conformance')

if (!existsSync(SUITE)) {
  console.log('conformance-current: nothing to compare with here, skipped')
  process.exit(0)
}
if (process.argv.includes('--update')) {
  for (const file of compared()) rmSync(join(COPY, file), { force: true })
  cpSync(SUITE, COPY, { recursive: true })
}
const differing = compared().filter((file) => !same(join(SUITE, file), join(COPY, file)))
for (const file of differing.slice(0, 20)) console.error(`differs: test/conformance/${file}`)
if (differing.length > 20) console.error(`and ${differing.length - 20} more`)
console.log(
  differing.length === 0
    ? 'conformance-current: the copy is current'
    : 'conformance-current: run `node build/conformance-current.mjs --update`',
)
process.exit(differing.length === 0 ? 0 : 1)

function compared() {
  const own = new Set(familiesOf(COPY))
  for (const family of familiesOf(SUITE)) own.delete(family)
  return filesOf(SUITE, COPY).filter((file) => {
    const [top, family] = file.split(sep)
    return top !== 'cases' || !own.has(family)
  })
}

function familiesOf(suite) {
  const cases = join(suite, 'cases')
  return existsSync(cases) ? readdirSync(cases) : []
}

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
