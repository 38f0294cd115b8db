#!/usr/bin/env node
// npm run site [-- FOLDER] [--json]: builds the documentation as a static site, by default in dist/site.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from '../inputs.cjs'
import { buildSite } from './build-site.ts'

const USAGE = `Usage: npm run site [-- [--json] [FOLDER]]

Builds the documentation as a static site: guides, manual pages, all directives, the module API, and a search that
works without a server. FOLDER is dist/site if it is not named. Open FOLDER/index.html in a browser.`

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) console.log(USAGE)
  else if (positionals.length > 1) throw new Error('only one FOLDER can be named')
  else {
    const folder = resolve(positionals[0] ?? join(ROOT, 'dist/site'))
    const built = await buildSite(folder, join(ROOT, 'dist'))
    const { pages, directives, symbols } = built
    console.log(
      values.json
        ? JSON.stringify({ folder, ...built }, null, 2)
        : `${pages} pages, with ${directives} directives and ${symbols} symbols of the module API: ${join(folder, 'index.html')}`,
    )
  }
} catch (error) {
  console.error(`site: error: ${error instanceof Error ? error.message : String(error)}\nhint: npm run site -- --help`)
  process.exitCode = 1
}
