import { ConfigError, loadConfiguration } from '@gatewright/core'
import { AuditTally, auditJson, auditText, configuredLogs, configuredRules, readAuditEntry } from '@gatewright/policy'
import { problemLines } from '../problem-lines.ts'
import { print } from '../startup-output.ts'
import { AUDIT_USAGE, type AuditRequest, parseAuditOptions } from './audit-options.ts'
import { configurationAt, ToolSource } from './configuration-at.ts'
import { INSTALLATION } from './installation.ts'
import { logLines } from './log-lines.ts'
import { outputPalette } from './output-palette.ts'
import { printUsage } from './words.ts'

/** `gatewright audit`. @returns the exit status */
export async function runAudit(argv: readonly string[]): Promise<number> {
  const request = parseAuditOptions(argv)
  if (request === 'help' || 'complaint' in request) return printUsage('audit', request, AUDIT_USAGE)
  try {
    const { logs, rules, hasGrants } = await findSubject(request)
    const tally = new AuditTally(request.days)
    for (const log of logs) for await (const line of logLines(log)) if (line !== '') tally.add(readAuditEntry(line))
    const report = tally.report(rules, hasGrants, request.top)
    print(1, request.output === 'json' ? auditJson(report) : auditText(report, outputPalette(request.colour)))
    return 0
  } catch (error) {
    if (error instanceof ConfigError) print(2, error.lines('gatewright audit').join('\n'))
    else if (error instanceof MissingLog) print(2, problemLines({ message: error.message, hint: error.hint }).join('\n'))
    else if (error instanceof Error && 'code' in error) print(2, `gatewright audit: ${error.message}`)
    else throw error
    return 1
  }
}

/** What to read. Rules and grants are null if no configuration is read. */
interface Subject {
  readonly logs: readonly string[]
  readonly rules: ReturnType<typeof configuredRules> | null
  readonly hasGrants: boolean | null
}

async function findSubject({ logs, configFile, serverRoot, defines }: AuditRequest): Promise<Subject> {
  if (logs.length > 0 && configFile === null && serverRoot === null) return { logs, rules: null, hasGrants: null }
  const found = configurationAt(configFile, serverRoot)
  const configuration = await loadConfiguration({
    ...INSTALLATION,
    ...found,
    defines,
    before: [],
    after: [],
    source: new ToolSource(),
    skipDocumentRootCheck: true,
    checkOnly: true,
    keepLines: true,
  })
  const { files, programs, hasGrants } = configuredLogs(configuration.lines)
  if (logs.length === 0 && files.length === 0) {
    const [program] = programs
    throw program === undefined
      ? new MissingLog(`${found.configFile} has no AuthzAuditLog`, 'name the logs, or load mod_authz_audit and add AuthzAuditLog')
      : new MissingLog(`the log of decisions is written by a program: ${program}`, 'name the files that it writes')
  }
  return {
    logs: logs.length > 0 ? logs : files.map((file) => configuration.serverRelative(file)),
    rules: configuredRules(configuration.lines),
    // Another configuration may have written the logs of the command line.
    hasGrants: logs.length > 0 ? null : hasGrants,
  }
}

/** There is nothing to read. */
class MissingLog extends Error {
  readonly hint: string

  constructor(message: string, hint: string) {
    super(`gatewright audit: ${message}`)
    this.hint = hint
  }
}
