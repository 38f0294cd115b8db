#!/usr/bin/env node
// Checks and builds a module outside of an installed server: gatewright-module build [FOLDER|FILE].
import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { buildModule, checkSources, pointDiagnostics, printDiagnostic, readIdentity, readModuleFile } from '../module-kit.mjs'

const [verb, word = '.', ...more] = process.argv.slice(2)
if (verb !== 'build' || more.length > 0) {
  console.error(
    'Usage: gatewright-module build [FOLDER|FILE]\n\nChecks the module of a package, src/index.ts, or of a source file, and builds mod_NAME.mjs in the current folder.',
  )
  process.exit(2)
}
const entry = statSync(word, { throwIfNoEntry: false })?.isDirectory() ? join(word, 'src/index.ts') : word
if (!existsSync(entry)) fail(`${entry} does not exist`, 'name the folder of a package with src/index.ts, or a source file')

try {
  const packages = installedPackages(entry)
  const diagnostics = pointDiagnostics(checkSources({ files: [entry], packages }))
  for (const diagnostic of diagnostics) console.error(printDiagnostic(diagnostic, process.cwd()))
  if (diagnostics.length > 0) process.exit(1)
  const file = readIdentity(entry).source.replace(/c$/, 'mjs')
  await buildModule({ entry, outFile: file, packages, sourceMap: true })
  const { stamp } = readModuleFile(file)
  console.error(
    `${file}: ${stamp.module}, built against API ${stamp.api}, declares ${stamp.capabilities?.join(', ') || 'no capabilities'}`,
  )
} catch (error) {
  fail(error.message)
}

/** The folders of the packages that the module is checked against, as its own folder finds them. */
function installedPackages(source) {
  const { resolve: find } = createRequire(resolve(source))
  return Object.fromEntries(
    ['@gatewright/api', '@gatewright/testing'].flatMap((name) => {
      try {
        return [[name, dirname(find(`${name}/package.json`))]]
      } catch {
        if (name !== '@gatewright/api') return []
        return fail(`${name} is not installed for ${relative('', source)}`, `npm install --save-dev ${name}`)
      }
    }),
  )
}

function fail(message, hint) {
  console.error(`gatewright-module: ${message}`)
  if (hint !== undefined) console.error(`hint: ${hint}`)
  process.exit(1)
}
