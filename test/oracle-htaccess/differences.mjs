// Where two answers to the same request differ.

/**
 * A built-in page: only its status is compared, because each server has its own wording, and therefore its
 * own length.
 */
const BUILT_IN =
  /^<!DOCTYPE[\s\S]*?<title>(\d{3} [^<]*)<\/title>[\s\S]*?<h1>[\s\S]*?(<address>.*<\/address>)?\s*<\/body>\s*<\/html>\s*$/i

/** Each server has its own help text after a wrong number of arguments. */
const ARGUMENT_COUNT = /((?:takes|requires) (?:[\w-]+ ?)+ arguments?), .*/

/** The differing parts, each `[part, expected, got]`. */
export function differencesOf(expectedAnswer, gotAnswer) {
  const [expected, got] = [facts(expectedAnswer), facts(gotAnswer)]
  const parts = new Set([...Object.keys(expected), ...Object.keys(got)])
  return [...parts]
    .map((part) => [part, expected[part], got[part]])
    .filter(([part, one, other]) => !same(one, other) && !(part === 'field ETag' && isCutOff(one?.[0], other?.[0])))
}

function facts({ failure, line, fields = [], body = '', error }) {
  const page = BUILT_IN.exec(body)
  const isOwnWording = page !== null || (/^HTTP\/1\.\d [345]/.test(line ?? '') && body === '')
  const kept = fields.filter(([name]) => !(isOwnWording && name.toLowerCase() === 'content-length'))
  return {
    failure,
    status: line,
    ...valuesByName(kept),
    'order of the header fields': kept.map(([name]) => name),
    body: page === null ? body : `built-in page ${page[1]} ${page[2] ?? ''}`,
    'error log': error?.map((text) => text.replace(ARGUMENT_COUNT, '$1')),
  }
}

function valuesByName(fields) {
  const values = {}
  for (const [name, value] of fields) {
    const key = `field ${name}`
    // httpd gives the methods in the order of a table of its own that changes.
    const shown = name === 'Allow' ? value.split(/, */).sort().join(',') : value
    values[key] = [...(values[key] ?? []), shown]
  }
  return values
}

/** httpd leaves out the quote that ends a tag with the version of a list of variants, and of a list before that the last digit, too. */
function isCutOff(expected = '', got = '') {
  const lists = expected.split(';').length - 1
  return lists > 0 && !expected.endsWith('"') && got.startsWith(expected) && got.length - expected.length === lists
}

function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other)
}
