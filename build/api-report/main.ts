#!/usr/bin/env node
// npm run api:check: compares the surfaces of the API packages with their reports. npm run api:accept [--
// --unreleased]: rewrites the reports if the API's version describes the changes.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { LINES, reportOn } from './lines.ts'

const { values: options, positionals } = parseArgs({ options: { unreleased: { type: 'boolean' } }, allowPositionals: true })
const [verb] = positionals
if (verb !== 'check' && verb !== 'accept') {
  console.error('usage: main.ts check | accept [--unreleased]')
  process.exit(2)
}
for (const line of LINES) {
  const { good, lines } = reportOn(
    join(import.meta.dirname, '../..'),
    line,
    verb,
    options.unreleased === true ? 'unreleased' : 'released',
  )
  for (const text of lines) console.log(text)
  if (!good) process.exitCode = 1
}
