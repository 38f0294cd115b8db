import { enableCompileCache } from 'node:module'
import { compileCacheFolder } from '@gatewright/mpm/compile-cache'
import { COMPILE_CACHE } from '../program.ts'

// The work is in separate files, so that they are not compiled before there is a compile cache: compiling
// takes longer than most tasks.
const cache = compileCacheFolder(COMPILE_CACHE)
if (cache !== null) enableCompileCache(cache)
const OWN_FILES: Readonly<Record<string, string>> = { check: './gatewright-check.mjs', lsp: './gatewright-lsp.mjs' }
const verb = process.argv[2] ?? ''
const file = Object.hasOwn(OWN_FILES, verb) ? OWN_FILES[verb] : undefined
await import(new URL(file ?? './gatewright-verbs.mjs', import.meta.url).href)
