import { differences } from '../test/conformance/lib/golden.mjs'

/**
 * Cases in which the runner compares what the suite's README says does not count: the words of built-in pages, and the lengths that follow from them, where such a
 * page is not the only answer on its connection; and the length of the product's name, in counts of bytes sent. httpd counts the byte by which it sees that the next
 * request is there twice, with either of them.
 */
export const WORDED = ['http/bodies', 'logs/format-items']

/** The end of an access log line about an answer that may be a built-in page. */
const PAGE_SIZE = /(" [345]\d\d) (\d+)$/
/** `%b %B %O %I %S`: the body, once more, head and body, the request, all. */
const COUNTS = /^bytes: (\S+) (\d+) (\d+) (\d+) (\d+)$/

/**
 * Failures of a run's report (`run.mjs --json`) that are more than wording.
 * @param longer characters that the product's name has more than that of the httpd that was recorded
 */
export function failuresBesideWording(report, longer) {
  return report.cases.flatMap((one) =>
    one.failures
      .filter((failure) => !(failure.differences ?? [['failure']]).every((difference) => isWording(difference, longer)))
      .map((failure) => ({ case: one.case, ...failure })),
  )
}

function isWording([field, expected, got], longer) {
  if (!Array.isArray(expected) || !Array.isArray(got) || expected.length !== got.length) return false
  if (field === 'responses') return expected.every((answer, index) => differences(answer, got[index]).length === 0)
  return field === 'access' && areAlike(expected, got, longer)
}

function areAlike(expected, got, longer) {
  const pages = new Set([0])
  for (const [index, line] of expected.entries()) {
    const [theirs, ours] = [PAGE_SIZE.exec(line), PAGE_SIZE.exec(got[index])]
    if (theirs !== null && ours !== null) pages.add(ours[2] - theirs[2])
  }
  const isPipelined = expected.filter((line) => COUNTS.test(line)).length > 1
  return expected.every((line, index) => {
    const other = got[index]
    const [theirs, ours] = [COUNTS.exec(line), COUNTS.exec(other)]
    if (theirs === null || ours === null) return line.replace(PAGE_SIZE, '$1') === other.replace(PAGE_SIZE, '$1')
    const body = ours[2] - theirs[2]
    const [sent, received, all] = [3, 4, 5].map((place) => ours[place] - theirs[place])
    const isReceivedAlike = received === 0 || (isPipelined && received === -1)
    return pages.has(body) && sent === body + longer && isReceivedAlike && all === sent + received
  })
}
