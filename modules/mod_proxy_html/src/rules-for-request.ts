import { type HostServices, isExpressionError, type ModuleLog, type Request } from '@gatewright/api'
import type { UrlMapLine, UrlRule } from './url-map.ts'
import { compile } from './url-map-line.ts'

/**
 * The rules that apply to a response. With ProxyHTMLInterp, those whose condition does not hold are left out, and variables
 * are replaced in those that ask for it. A line whose pattern is invalid is logged, and left out.
 */
export function rulesForRequest(
  request: Request,
  lines: readonly UrlMapLine[],
  interpolates: boolean,
  services: HostServices,
  log: ModuleLog,
): UrlRule[] {
  const rules: UrlRule[] = []
  for (const line of lines) {
    if (interpolates && !holds(request, line, log)) continue
    const mapping = interpolates ? mappingFor(request, line, services) : line.mapping
    if (mapping === 'of nothing') continue
    if (mapping !== null) rules.push({ ...line, mapping })
    else log.write(request, 'warn', '', `ProxyHTMLURLMap: ${line.from} is no regular expression`)
  }
  return rules
}

function holds(request: Request, { condition }: UrlMapLine, log: ModuleLog): boolean {
  if (condition === null) return true
  try {
    return condition.test(request)
  } catch (error) {
    if (!isExpressionError(error)) throw error
    log.write(request, 'error', 'AH01421', `Error evaluating expr: ${error.message}`)
    return false
  }
}

function mappingFor(request: Request, line: UrlMapLine, services: HostServices): UrlRule['mapping'] | 'of nothing' | null {
  const { interpolatesFrom, interpolatesTo, regex } = line
  if (!interpolatesFrom && !interpolatesTo) return line.mapping
  const from = interpolatesFrom ? interpolate(request, line.from) : line.from
  if (from === '' && interpolatesFrom) return 'of nothing'
  const to = interpolatesTo ? interpolate(request, line.to) : line.to
  return compile(from, to, regex, (source, flags) => services.pattern(source, flags))
}

/** Replaces `${NAME}` and `${NAME|DEFAULT}` by environment variables of the request. Values are not searched again. */
function interpolate(request: Request, text: string): string {
  return text.replace(/\$\{([^}|]*)(?:\|([^}]*))?\}/g, (_whole, name: string, otherwise: string | undefined) => {
    return request.env.get(name) ?? otherwise ?? ''
  })
}
