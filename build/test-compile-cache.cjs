// Keeps the compiled code of test files and sources between processes and runs: each test file is a process of its own and imports much of what the others import.
'use strict'
const { enableCompileCache } = require('node:module')
const { join } = require('node:path')

enableCompileCache(join(__dirname, '../node_modules/.cache/test-code'))
