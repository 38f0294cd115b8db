#!/usr/bin/env node
// npm run playground [-- FOLDER]: builds the page that explains configurations without a server, by default in dist/playground.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from '../inputs.cjs'
import { buildPlayground } from './build-playground.ts'

const USAGE = `Usage: npm run playground [-- FOLDER]

Builds one page that explains what a configuration answers, without a server: FOLDER/index.html, by default
dist/playground/index.html. Open it in a browser. Nothing that is written into the page leaves it.`

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help) console.log(USAGE)
  else if (positionals.length > 1) throw new Error('only one FOLDER can be named')
  else {
    const { file, bytes, compressed } = await buildPlayground(resolve(positionals[0] ?? join(ROOT, 'dist/playground')))
    console.log(`${file}: ${bytes} bytes, ${compressed} bytes compressed`)
  }
} catch (error) {
  console.error(
    `playground: error: ${error instanceof Error ? error.message : String(error)}\nhint: npm run playground -- --help`,
  )
  process.exitCode = 1
}
