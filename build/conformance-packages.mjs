#!/usr/bin/env node
// Prints the Debian packages of the programs that cases of due families need and that are missing here, one in a line; .ci/run installs them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { missingPrograms } from '../test/conformance/lib/needs.mjs'
import { DUE } from './conformance-families.mjs'
import { ROOT } from './inputs.cjs'

/** Programs whose package has another name. `php-fpm*` is any program with that prefix. */
const PACKAGES = { 'php-fpm*': 'php-fpm', ldapmodify: 'ldap-utils', mkfifo: 'coreutils', tr: 'coreutils' }
const CASES = join(ROOT, 'test/conformance/cases')

const missing = new Set(caseFiles().flatMap((file) => missingPrograms(JSON.parse(readFileSync(file, 'utf8')))))
for (const name of new Set([...missing].map((program) => PACKAGES[program] ?? program))) console.log(name)

function caseFiles() {
  return DUE.flatMap((entry) =>
    entry.includes('/')
      ? [join(CASES, `${entry}.case.json`)]
      : readdirSync(join(CASES, entry))
          .filter((file) => file.endsWith('.case.json'))
          .map((file) => join(CASES, entry, file)),
  )
}
