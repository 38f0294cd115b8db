import { enableCompileCache } from 'node:module'
import { compileCacheFolder } from '@gatewright/mpm/compile-cache'
import { COMPILE_CACHE } from '../program.ts'

// The work is in separate files, so that they are not compiled before there is a compile cache: compiling
// takes longer than most tasks.
const cache = compileCacheFolder(COMPILE_CACHE)
if (cache !== null) enableCompileCache(cache)
const file = process.argv[2] === 'check' ? './gatewright-check.mjs' : './gatewright-verbs.mjs'
await import(new URL(file, import.meta.url).href)
