import { DECLINED, OK, type Outcome, type Request } from '@gatewright/api'
import type { VhostAliasConfig } from './config.ts'

const SCRIPTS = '/cgi-bin/'

/**
 * The translate phase: maps URLs below /cgi-bin/ to the folder of scripts, all others to the folder of files.
 */
export function translate(request: Request, { documents, scripts }: Readonly<VhostAliasConfig>): Outcome {
  const { uri } = request
  const isScript = scripts && uri.startsWith(SCRIPTS)
  const folder = isScript ? scripts : documents
  if (!folder || !uri.startsWith('/')) return DECLINED
  const name = folder.by === 'name' ? request.serverName() : request.connection.localAddress
  const made = folder.pattern({ name, port: request.serverPort() })
  const path = made.endsWith('/') ? made.slice(0, -1) : made
  request.filename = `${path}${isScript ? uri.slice(SCRIPTS.length - 1) : uri}`
  request.contextPrefix = ''
  request.contextDocumentRoot = path
  request.documentRoot = path
  if (isScript) {
    request.handler = 'cgi-script'
    // Informs CGI handlers that ExecCGI is not required.
    request.notes.set('alias-forced-type', 'cgi-script')
  }
  return OK
}
