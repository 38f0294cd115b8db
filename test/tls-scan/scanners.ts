import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ScanFinding } from './scan-finding.ts'
import type { ScannedServer } from './scanned-server.ts'
import { sslscanFindings } from './sslscan-findings.ts'
import { testsslFindings } from './testssl-findings.ts'

const run = promisify(execFile)

/** A program that rates the TLS of a server. */
export interface Scanner {
  readonly name: string
  /** Names of the program; Debian's has no `.sh`. */
  readonly programs: readonly string[]
  /** How to install it on Debian. */
  readonly package: string
  scan(program: string, server: ScannedServer): Promise<readonly ScanFinding[]>
}

/** Protocols, kinds of suites, forward secrecy, preferences, certificates, header fields, vulnerabilities. */
const TESTSSL_PARTS = ['-p', '-s', '-f', '-P', '-S', '-h', '-U']
/** Without names, and without the network. */
const TESTSSL_OPTIONS = ['--ip', '127.0.0.1', '--nodns', 'none', '--quiet', '--color', '0', '--warnings', 'off']
const MOST_OUTPUT = 1 << 24

export const SCANNERS: readonly Scanner[] = [
  {
    name: 'sslscan',
    programs: ['sslscan'],
    package: 'sslscan',
    scan: async (program, { port }) => {
      const { stdout } = await run(program, ['--no-colour', '--ipv4', '--xml=-', `localhost:${port}`], { maxBuffer: MOST_OUTPUT })
      return sslscanFindings(stdout)
    },
  },
  {
    name: 'testssl',
    programs: ['testssl', 'testssl.sh'],
    package: 'testssl.sh',
    scan: async (program, { port, authority, folder }) => {
      const file = join(folder, 'testssl.json')
      const files = ['--add-ca', authority, '--jsonfile', file]
      const words = [...TESTSSL_OPTIONS, ...files, ...TESTSSL_PARTS, `https://localhost:${port}/`]
      // Its exit status counts problems of any severity.
      const failure = await run(program, words, { maxBuffer: MOST_OUTPUT, cwd: folder }).then(
        () => '',
        (error: Error) => error.message,
      )
      try {
        return testsslFindings(readFileSync(file, 'utf8'))
      } catch (error) {
        throw new Error(`testssl: no findings can be read: ${error instanceof Error ? error.message : error}\n${failure}`)
      }
    },
  },
]
