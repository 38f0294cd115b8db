import { type BoundConfiguration, ConfigError, FileSource, TextSource } from '@gatewright/core'
import { dropPrivileges, ownerOf } from '@gatewright/mpm/worker'
import {
  accessFileMistakes,
  ConfigFiles,
  type Finding,
  findingLines,
  findingsJson,
  lint,
  moduleFindings,
  PolicyServer,
} from '@gatewright/policy'
import { findingsSummary, lintStatus } from '../findings-summary.ts'
import { print } from '../startup-output.ts'
import { configurationAt } from './configuration-at.ts'
import { INSTALLATION } from './installation.ts'
import { LINT_USAGE, type LintRequest, noSuchRule, parseLintOptions } from './lint-options.ts'
import { filesToMigrate } from './migrate-files.ts'
import { outputPalette } from './output-palette.ts'
import { TolerantOpening } from './tolerant-opening.ts'
import { printUsage } from './words.ts'

/** `gatewright lint`. @returns the exit status */
export async function runLint(argv: readonly string[]): Promise<number> {
  const request = parseLintOptions(argv)
  if (request === 'help' || 'complaint' in request) return printUsage('lint', request, LINT_USAGE)
  try {
    return await lintAndPrint(request)
  } catch (error) {
    if (error instanceof ConfigError) print(2, error.lines('gatewright lint').join('\n'))
    else if (error instanceof Error && 'code' in error) print(2, `gatewright lint: ${error.message}`)
    else throw error
    return 2
  }
}

async function lintAndPrint(request: LintRequest): Promise<number> {
  const opening = new TolerantOpening()
  const { defines, rules, named, isWanted, output } = request
  const path = request.path ?? configurationAt(null, request.serverRoot).configFile
  const { serverRoot, configFile, modules, texts, madeUp, unread } = await filesToMigrate({ ...request, path }, opening)
  let found: readonly Finding[] = []
  let missing: string | undefined
  const onLoaded = (configuration: BoundConfiguration): void => {
    const ids = configuration.providers.lintRules.names()
    missing = named.find((id) => !ids.includes(id))
    found = moduleFindings(configuration, { isWanted }).filter(({ file }) => !madeUp.has(file))
  }
  const opened = opening.open(texts, (readable) =>
    PolicyServer.open({
      ...INSTALLATION,
      serverRoot,
      configFile,
      defines,
      before: modules,
      after: WITHOUT_FILES,
      source: new TextSource(readable, new FileSource()),
      skipDocumentRootCheck: true,
      onLoaded,
    }),
  )
  const server = await opened.catch((error: unknown) => {
    // Why modules do not get ready, in file and line, before their own message.
    printFindings(found, output)
    throw error
  })
  if (missing !== undefined) {
    await server.close()
    return printUsage('lint', { complaint: noSuchRule(missing) }, LINT_USAGE)
  }
  // Requests are decided with the rights of a worker, configurations are read with those of root.
  dropPrivileges(ownerOf(server.configuration.plan))
  const mistakes = accessFileMistakes(server, new ConfigFiles(texts))
  const findings = await lint(server, { madeUp, rules, modules: { found, isWanted } })
  await server.close()
  for (const { file, line, message } of mistakes)
    print(2, `${file}:${line}: ${message}: the server answers every request there with 500, and lint did not check any rule`)
  printFindings(findings, output)
  if (output === 'text') {
    for (const { file, line, text } of opening.passedOver)
      print(2, `${file}:${line}: unknown to this server, not checked: ${text}`)
    for (const one of unread) print(2, `not read: ${one}`)
    print(2, findingsSummary(findings))
  }
  return mistakes.length > 0 ? 1 : lintStatus(findings)
}

function printFindings(findings: readonly Finding[], output: LintRequest['output']): void {
  if (output === 'json') print(1, findingsJson(findings))
  else for (const finding of findings) print(1, findingLines(finding, outputPalette('auto')).join('\n'))
}

/** Logs and file types do not affect access, and their files may be missing on this machine. */
const WITHOUT_FILES = ['ErrorLog /dev/null', '<IfModule mod_mime.c>', 'TypesConfig /dev/null', '</IfModule>']
