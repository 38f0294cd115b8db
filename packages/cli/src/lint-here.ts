import { ConfigError } from '@gatewright/core'
import type { StartOptions } from '@gatewright/mpm/reader'
import type { StartConsole } from '@gatewright/mpm/supervisor'
import { dropPrivileges, ownerOf } from '@gatewright/mpm/worker'
import { type Finding, findingLines, findingsJson, lint, moduleFindings, PolicyServer } from '@gatewright/policy'
import { COMPILED_IN } from './compiled-in.ts'
import { findingsSummary, lintStatus } from './findings-summary.ts'
import { ReadOnceSource } from './read-once-source.ts'

/** `-t --lint`: reports the findings of the rules in a configuration that loads. @returns the exit status */
export async function lintHere(start: StartOptions, output: 'text' | 'json', console: StartConsole): Promise<number> {
  let found: readonly Finding[] = []
  const opening = PolicyServer.open({
    ...start,
    source: new ReadOnceSource(),
    environment: process.env,
    report: () => undefined,
    builtIn: COMPILED_IN,
    onLoaded: (configuration) => {
      found = moduleFindings(configuration)
    },
  })
  const server = await opening.catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error
    // What the modules' rules have found may say why.
    printFindings(found, output, console)
    console.err(error.lines(start.program).join('\n'))
    return null
  })
  if (server === null) return 1
  // Requests are decided with the rights of a worker, configurations are read with those of root.
  dropPrivileges(ownerOf(server.configuration.plan))
  const findings = await lint(server, { modules: { found, isWanted: () => true } })
  await server.close()
  printFindings(findings, output, console)
  if (output === 'text') console.err(findingsSummary(findings))
  return lintStatus(findings)
}

function printFindings(findings: readonly Finding[], output: 'text' | 'json', console: StartConsole): void {
  if (output === 'json') console.out(findingsJson(findings))
  else for (const line of findings.flatMap((finding) => findingLines(finding))) console.err(line)
}
