import type { HostServices, Pattern, Request } from '@gatewright/api'

/** The attribute of a request that a rule matches. */
export type Subject =
  | { readonly kind: 'remote-host' | 'remote-addr' | 'server-addr' | 'request-method' | 'request-protocol' | 'request-uri' }
  /** A request header, or a variable that has been set. */
  | { readonly kind: 'field'; readonly name: string }
  /** The last request header whose name matches. */
  | { readonly kind: 'matching-field'; readonly pattern: Pattern; readonly name: string }

const ATTRIBUTES: ReadonlyMap<string, Subject> = new Map<string, Subject>([
  ['remote_host', { kind: 'remote-host' }],
  ['remote_addr', { kind: 'remote-addr' }],
  ['server_addr', { kind: 'server-addr' }],
  ['request_method', { kind: 'request-method' }],
  ['request_protocol', { kind: 'request-protocol' }],
  ['request_uri', { kind: 'request-uri' }],
])

/**
 * Parses the attribute of a SetEnvIf line. A name with other characters than letters, digits, `-` and `_` is
 * a pattern for header names. So is `OID("2.5.29.17")`, as in httpd 2.4, which knows no certificates here.
 * @param compile the host's pattern compiler, with the case sensitivity of the directive
 */
export function parseSubject(
  name: string,
  compile: (source: string) => Pattern | { readonly error: string },
): Subject | { readonly error: string } {
  const attribute = ATTRIBUTES.get(name.toLowerCase())
  if (attribute !== undefined) return attribute
  if (/^[\w-]+$/.test(name)) return { kind: 'field', name }
  const pattern = compile(name)
  return 'error' in pattern ? pattern : { kind: 'matching-field', pattern, name }
}

export function sameSubject(a: Subject, b: Subject): boolean {
  if (a.kind !== b.kind) return false
  const left = 'name' in a ? a.name.toLowerCase() : ''
  const right = 'name' in b ? b.name.toLowerCase() : ''
  return left === right && 'pattern' in a === 'pattern' in b
}

/** The text that rules match; '' if the request does not have the attribute. */
export function subjectText(subject: Subject, request: Request, services: HostServices): string {
  switch (subject.kind) {
    case 'field':
      return request.headersIn.get(subject.name) ?? request.env.get(subject.name) ?? ''
    case 'remote-addr':
      return request.useragentAddress
    case 'request-uri':
      return request.uri
    case 'request-method':
      return request.method
    case 'request-protocol':
      return request.protocol
    case 'server-addr':
      return request.connection.localAddress
    case 'remote-host':
      return services.knownRemoteHost(request) ?? request.useragentAddress
    case 'matching-field':
      return lastMatchingField(request, subject.pattern)
  }
}

function lastMatchingField(request: Request, pattern: Pattern): string {
  let text = ''
  for (const [name, value] of request.headersIn) {
    if (pattern.test(name)) text = value
  }
  return text
}
