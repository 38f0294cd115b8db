import { dirname, resolve } from 'node:path'
import { byteWords } from '../argument-bytes.ts'
import { DEFAULT_CONFIG_FILE, DEFAULT_ROOT, MODULES_FOLDER } from '../program.ts'
import { NotWritten } from '../replace-together.ts'
import { print } from '../startup-output.ts'
import { localCertData, localCertReport } from './local-cert/local-cert-report.ts'
import { ensureLocalCertificates, type LocalCertificates } from './local-cert/local-certificates.ts'
import { ForeignFile } from './local-cert/stored-pair.ts'
import { LOCAL_CERT_USAGE, parseLocalCertOptions } from './local-cert-options.ts'
import { printUsage } from './words.ts'

/** The folder beside the configuration file. */
const FOLDER = 'local-cert'

/** `gatewright local-cert`. @returns the exit status */
export async function runLocalCert(argv: readonly string[]): Promise<number> {
  const request = parseLocalCertOptions(argv)
  if (request === 'help' || 'complaint' in request) return printUsage('local-cert', request, LOCAL_CERT_USAGE)
  const folder =
    request.folder === null
      ? resolve(DEFAULT_ROOT, dirname(DEFAULT_CONFIG_FILE), FOLDER)
      : resolve(Buffer.from(request.folder, 'latin1').toString('utf8'))
  let made: LocalCertificates
  try {
    made = await ensureLocalCertificates({ folder, names: request.names, now: Date.now() })
  } catch (error) {
    const lines = complaint(error)
    if (lines === null) throw error
    for (const line of byteWords(lines)) print(2, line)
    return 1
  }
  const places = { modules: MODULES_FOLDER }
  const report = request.output === 'json' ? JSON.stringify(localCertData(made, places), null, 2) : localCertReport(made, places)
  print(1, byteWords([report])[0])
  return 0
}

/** The lines for an error that a person can solve; null for any other. */
function complaint(error: unknown): readonly string[] | null {
  if (error instanceof ForeignFile)
    return [`gatewright local-cert: ${error.message}`, 'hint: move the file away, or write elsewhere with --output DIR']
  if (error instanceof NotWritten)
    return [`gatewright local-cert: ${error.message}`, ...(error.hint === undefined ? [] : [`hint: ${error.hint}`])]
  if (error instanceof Error && 'code' in error && 'syscall' in error)
    return [
      `gatewright local-cert: ${error.message}`,
      'hint: run the command as a user who may read the file, or write elsewhere with --output DIR',
    ]
  return null
}
