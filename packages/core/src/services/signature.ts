import { escapeHtml } from '@gatewright/api/text'
import { productBanner, type ServerTokens } from '../base/product.ts'
import type { RequestRecord } from '../model/request-record.ts'

/** The footer line of generated pages, as ServerSignature defines; '' if Off. */
export function serverSignature(request: RequestRecord, prefix: string, tokens: ServerTokens): string {
  const setting = request.config.core.serverSignature ?? 'off'
  if (setting === 'off') return ''
  const name = escapeHtml(request.serverName())
  const admin = request.server.serverAdmin
  const shown =
    setting === 'email' && admin !== null
      ? `<a href="${/^\w+:/.test(admin) ? '' : 'mailto:'}${escapeHtml(admin)}">${name}</a>`
      : name
  return `${prefix}<address>${productBanner(tokens)} Server at ${shown} Port ${request.serverPort()}</address>\n`
}
