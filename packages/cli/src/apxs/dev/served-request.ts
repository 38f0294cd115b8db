/** A request, as a line of the access log in the format `json` describes it. */
export interface ServedRequest {
  readonly method: string
  /** The path and query of the request, starting with /. */
  readonly target: string
  readonly status: number
  readonly client: string
  /** The user, if access control granted the request to one. */
  readonly user: string | null
  readonly milliseconds: number
}

/** @returns null if the line is not one of the access log, such as what a module prints */
export function servedRequest(line: string): ServedRequest | null {
  let read: unknown
  try {
    read = JSON.parse(line)
  } catch {
    return null
  }
  const text = (name: string): string => {
    const value = memberOf(read, name)
    return typeof value === 'string' ? value : ''
  }
  const status = memberOf(read, 'http.response.status_code')
  if (typeof status !== 'number') return null
  const duration = memberOf(read, 'event.duration')
  const query = text('url.query')
  return {
    method: text('http.request.method'),
    target: query === '' ? text('url.path') : `${text('url.path')}?${query}`,
    status,
    client: text('client.address'),
    user: text('user.name') || null,
    milliseconds: typeof duration === 'number' ? duration / 1e6 : 0,
  }
}

/** A member whose name has dots, written as one name or as nested objects. */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const members = new Map(Object.entries(value))
  if (members.has(name)) return members.get(name)
  const [first, ...rest] = name.split('.')
  return rest.length === 0 ? undefined : memberOf(members.get(first), rest.join('.'))
}

/** The options of `gatewright explain` for a request that access control refused; null for any other. */
export function wordsToExplain({ method, target, status, client, user }: ServedRequest): string[] | null {
  if (status !== 401 && status !== 403) return null
  if (!target.startsWith('/') || client === '') return null
  // After 401, the user is one whose password was wrong or missing; explain would assume the correct one.
  const credentials = user === null || status === 401 ? [] : ['--user', user]
  return ['--method', method, '--from', client, ...credentials, target]
}
