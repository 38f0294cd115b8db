import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError, type ConfigSource, FileSource, RecordingSource, TextSource } from '@gatewright/core'
import { dropPrivileges, ownerOf } from '@gatewright/mpm/worker'
import { explain, explanationJson, explanationText, PolicyServer } from '@gatewright/policy'
import { problemLines } from '../problem-lines.ts'
import { DEFAULT_ROOT } from '../program.ts'
import { print } from '../startup-output.ts'
import { configurationAt, ToolSource } from './configuration-at.ts'
import { EXPLAIN_USAGE, type ExplainRequest, parseExplainOptions } from './explain-options.ts'
import { chooseTls, clientCertificateOf } from './explained-tls.ts'
import { INSTALLATION } from './installation.ts'
import { loggedQuestion } from './logged-question.ts'
import { OFFLINE } from './offline-note.ts'
import { outputPalette } from './output-palette.ts'
import { treeRules } from './tree-rules.ts'
import { printUsage } from './words.ts'

/** `gatewright explain`. @returns the exit status */
export async function runExplain(argv: readonly string[]): Promise<number> {
  const request = parseExplainOptions(argv)
  if (request === 'help' || 'complaint' in request) return printUsage('explain', request, EXPLAIN_USAGE)
  const certificate = clientCertificateOf(request.tls)
  if (certificate !== null && 'message' in certificate) {
    const { message, hint } = certificate
    print(2, problemLines({ message: `gatewright explain: ${message}`, hint }).join('\n'))
    return 1
  }
  try {
    const rules = findRules(request)
    if (typeof rules === 'string') {
      print(2, `gatewright explain: ${rules}`)
      return 1
    }
    const open = (after: readonly string[]): Promise<PolicyServer> => openServer(request, rules, after)
    const server = await open(request.after)
    const openAsHttpd = (): Promise<PolicyServer> => open([...request.after, ...AS_HTTPD])
    const owner = ownerOf(server.configuration.plan)
    // Requests are decided with the rights of a worker, configurations are read with those of root.
    const asHttpd = process.geteuid?.() === 0 && owner.user !== null ? await openAsHttpd() : null
    dropPrivileges(owner)
    const logged = loggedQuestion(request, server, rules.texts())
    if ('complaint' in logged) {
      print(2, `gatewright explain: ${logged.complaint}`)
      return 1
    }
    const asked = logged.request
    const end = server.localEnd({ ...asked.localEnd, client: asked.question.client })
    if ('complaint' in end) {
      const hint = 'write http://host:PORT/path, or add --to :PORT'
      print(2, problemLines({ message: `gatewright explain: ${end.complaint}`, hint }).join('\n'))
      return 1
    }
    const { tls, notes } = chooseTls(server, asked, certificate, end)
    const question = { ...asked.question, localAddress: end.address, localPort: end.port, tls }
    const explanation = await explain(server, question, {
      asHttpd: () => (asHttpd === null ? openAsHttpd() : Promise.resolve(asHttpd)),
      notes: [
        ...(request.reach === 'offline' ? [OFFLINE] : []),
        ...(end.note === '' ? [] : [end.note]),
        ...notes,
        ...logged.notes,
      ],
      loggedStatus: logged.status,
    })
    print(1, request.output === 'json' ? explanationJson(explanation) : explanationText(explanation, textOptions(request, rules)))
    return 0
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    print(2, error.lines('gatewright').join('\n'))
    return 1
  }
}

/** Without mod_access_compat, precedence has no meaning. */
const AS_HTTPD = ['<IfModule mod_access_compat.c>', 'AccessCompatPrecedence httpd', '</IfModule>']

/** The source of the configuration. */
export interface Rules {
  readonly serverRoot: string
  readonly configFile: string
  readonly source: ConfigSource
  /** The files of the configuration that were read, by path. */
  texts(): ReadonlyMap<string, string>
  /** The folder to which shown paths are relative. */
  readonly folder: string
}

export function findRules({ from }: ExplainRequest): Rules | string {
  if (from.kind === 'server') {
    const { serverRoot, configFile } = configurationAt(from.configFile, from.serverRoot)
    const source = new RecordingSource(new ToolSource())
    return { serverRoot, configFile, source, texts: () => new Map(Object.entries(source.record.texts)), folder: serverRoot }
  }
  const folder = resolve(from.folder)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return `--tree: ${folder} is not a folder`
  const { configFile, text } = treeRules(folder, from.allowOverride)
  return {
    serverRoot: DEFAULT_ROOT,
    configFile,
    source: new TextSource(new Map([[configFile, text]]), new FileSource()),
    texts: () => new Map(),
    folder,
  }
}

export function openServer(
  { defines, before, reach }: ExplainRequest,
  rules: Rules,
  after: readonly string[],
): Promise<PolicyServer> {
  return PolicyServer.open({
    ...INSTALLATION,
    serverRoot: rules.serverRoot,
    configFile: rules.configFile,
    defines,
    before,
    after,
    source: rules.source,
    skipDocumentRootCheck: false,
    reach,
  })
}

function textOptions({ colour, phases }: ExplainRequest, { folder }: Rules): Parameters<typeof explanationText>[1] {
  return { palette: outputPalette(colour), folder, phases }
}
