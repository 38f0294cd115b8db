/** Texts of the portable runtime's statuses that httpd logs, by number. */
export const APR_TEXTS: ReadonlyMap<number, string> = new Map([
  [20014, 'Internal error (specific information not available)'],
  [70007, 'The timeout specified has expired'],
  [70008, 'Partial results are valid but processing is incomplete'],
  [70014, 'End of file found'],
])

/** A resolver error: the C library's number without its sign, and its text. */
export interface ResolverError {
  readonly code: number
  readonly text: string
}

const NOT_KNOWN: ResolverError = { code: 2, text: 'Name or service not known' }
const TRY_AGAIN: ResolverError = { code: 3, text: 'Temporary failure in name resolution' }
const NO_RECOVERY: ResolverError = { code: 4, text: 'Non-recoverable failure in name resolution' }
const NO_ADDRESS: ResolverError = { code: 5, text: 'No address associated with hostname' }

/** Codes of Node's lookups, from the system's resolver (`EAI_...`) and from c-ares. */
export const RESOLVER_ERRORS: ReadonlyMap<string, ResolverError> = new Map([
  ['ENOTFOUND', NOT_KNOWN],
  ['EAI_NONAME', NOT_KNOWN],
  ['EAI_AGAIN', TRY_AGAIN],
  ['ESERVFAIL', TRY_AGAIN],
  ['ETIMEOUT', TRY_AGAIN],
  ['EAI_FAIL', NO_RECOVERY],
  ['EREFUSED', NO_RECOVERY],
  ['EAI_NODATA', NO_ADDRESS],
  ['EAI_FAMILY', { code: 6, text: 'ai_family not supported' }],
  ['EAI_SOCKTYPE', { code: 7, text: 'ai_socktype not supported' }],
  ['EAI_SERVICE', { code: 8, text: 'Servname not supported for ai_socktype' }],
  ['EAI_ADDRFAMILY', { code: 9, text: 'Address family for hostname not supported' }],
  ['EAI_MEMORY', { code: 10, text: 'Memory allocation failure' }],
])
