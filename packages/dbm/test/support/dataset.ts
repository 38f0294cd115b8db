export type Records = Map<string, string>

/** Keys and values are latin1 strings: one character, one byte. */
export const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

/** What the fixtures were made from: users, names with bytes above 0x7f, one value near SDBM's limit. */
export function records(users: number): Records {
  const all: Records = new Map()
  for (let user = 0; user < users; user++) all.set(`user${user}`, `v${user * user},g${user % 7}`)
  for (let user = 0; user < 20; user++) all.set(`\xc3\xa9t\xe9\xff${user}`, `\xe2\x82\xac\x80${user}`)
  all.set('long', 'x'.repeat(900))
  return all
}

/** Users that were deleted from the fixtures again. */
export const deleted: readonly string[] = ['user7', 'user77', 'user150']

/** The records of the fixtures that the tools wrote. */
export function fixtureRecords(): Records {
  const all = records(200)
  for (const user of deleted) all.delete(user)
  return all
}

/** Empty key, empty value, and keys and values that need pages of their own when pages have 512 bytes. */
export const large: Records = new Map([
  ['', 'empty'],
  ['void', ''],
  ['huge', 'y'.repeat(5000)],
  ['k'.repeat(700), 'z'.repeat(700)],
  [`${'k'.repeat(699)}l`, 'w'.repeat(300)],
])

/** What an iteration gave, as latin1 strings, sorted by key. Two records of one key stay two. */
export function sorted(entries: Iterable<[Buffer, Buffer]>): [string, string][] {
  return Array.from(entries, ([key, value]): [string, string] => [key.toString('latin1'), value.toString('latin1')]).sort(byKey)
}

export function sortedRecords(all: Records): [string, string][] {
  return [...all].sort(byKey)
}

function byKey(a: [string, string], b: [string, string]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0
}
