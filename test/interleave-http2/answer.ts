/** What a client sees of a response. */
export interface Answer {
  readonly status: number
  /** Names in lower case, in the order of their names; those of the connection and the date are left out. */
  readonly fields: readonly string[]
  readonly body: string
  readonly trailers: readonly string[]
}

/** Fields that belong to one protocol, or to the moment. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'date', 'content-length', 'trailer'],
])

export function sortedFields(pairs: Iterable<readonly [name: string, value: string]>): string[] {
  const lines: string[] = []
  for (const [name, value] of pairs) if (!LEFT_OUT.has(name) && !name.startsWith(':')) lines.push(`${name}: ${value}`)
  return lines.sort()
}

/** @returns null for equal answers */
export function differenceOf(one: Answer, two: Answer): string | null {
  if (one.status !== two.status) return `status ${one.status} by HTTP/1.1, ${two.status} by HTTP/2`
  if (one.fields.join('\n') !== two.fields.join('\n'))
    return `fields\n    ${one.fields.join('\n    ')}\n  and\n    ${two.fields.join('\n    ')}`
  if (one.body !== two.body)
    return `bodies of ${one.body.length} and ${two.body.length} bytes that ${firstDifference(one.body, two.body)}`
  if (one.trailers.join('\n') !== two.trailers.join('\n')) return `trailers [${one.trailers}] and [${two.trailers}]`
  return null
}

function firstDifference(one: string, two: string): string {
  let at = 0
  while (at < one.length && one[at] === two[at]) at++
  return `differ from byte ${at}: ${JSON.stringify(one.slice(at, at + 20))} and ${JSON.stringify(two.slice(at, at + 20))}`
}
