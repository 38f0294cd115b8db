import { ConfigError } from '@gatewright/core'
import { dropPrivileges, ownerOf } from '@gatewright/mpm/worker'
import { whoGetsIn, whoText } from '@gatewright/policy'
import { problemLines } from '../problem-lines.ts'
import { print } from '../startup-output.ts'
import { findRules, openServer } from './explain.ts'
import { parseExplainOptions } from './explain-options.ts'
import { chooseTls, clientCertificateOf } from './explained-tls.ts'
import { outputPalette } from './output-palette.ts'
import { printUsage } from './words.ts'

/** `gatewright who`. @returns the exit status */
export async function runWho(argv: readonly string[]): Promise<number> {
  const request = parseExplainOptions(argv)
  if (request === 'help' || 'complaint' in request) return printUsage('who', request, WHO_USAGE)
  if (request.line !== null) return printUsage('who', { complaint: 'name a URL instead of a line of a log' }, WHO_USAGE)
  const certificate = clientCertificateOf(request.tls)
  if (certificate !== null && 'message' in certificate) return complain(certificate)
  try {
    const rules = findRules(request)
    if (typeof rules === 'string') return complain({ message: rules })
    const server = await openServer(request, rules, request.after)
    dropPrivileges(ownerOf(server.configuration.plan))
    const end = server.localEnd({ ...request.localEnd, client: request.question.client })
    if ('complaint' in end) return complain({ message: end.complaint, hint: 'write http://host:PORT/path, or add --to :PORT' })
    const { tls } = chooseTls(server, request, certificate, end)
    const who = await whoGetsIn(server, { ...request.question, localAddress: end.address, localPort: end.port, tls })
    print(1, request.output === 'json' ? JSON.stringify(who, null, 2) : whoText(who, outputPalette(request.colour)))
    return 0
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    print(2, error.lines('gatewright').join('\n'))
    return 1
  }
}

function complain({ message, hint }: { readonly message: string; readonly hint?: string }): number {
  print(2, problemLines({ message: `gatewright who: ${message}`, hint }).join('\n'))
  return 1
}

const WHO_USAGE = `Usage: gatewright who [OPTION]... URL

Shows who gets an answer: a row for each user that the rules or password files name, a column for each address that the rules distinguish, and the
status that each of them receives. The server's own code decides; nothing is served and no log is written.

The options are those of gatewright explain: -d, -f, -D, -C, -c, --tree, -X, --from, -H, --to, --json, --color.

The exit status is 0 if there is a table, 1 if the configuration does not load, 2 if the command line is wrong.`
