import { differences } from '../test/conformance/lib/golden.mjs'

/**
 * Cases in which the runner compares text that the suite's README excludes: the wording of built-in pages and
 * the resulting lengths, if such a page is not the only response on its connection. httpd counts the byte by
 * which it detects the next request twice, with either wording. Of the pages for 300, the cases about spelling
 * compare the candidates alone, but the length of the whole page.
 */
export const WORDED = ['http/bodies', 'logs/format-items', 'small-modules/spelling', 'small-modules/spelling-basename']

/** The end of an access log line about an answer that may be a built-in page. */
const PAGE_SIZE = /(" [345]\d\d) (\d+)$/
/** `%b %B %O %I %S`; the suite has compared all but `%I` with the transferred bytes. */
const COUNTS = /^(bytes: .*) in=(\d+) (both=\S+)$/

/** Failures of a run's report (`run.mjs --json`) that are more than wording. */
export function failuresBesideWording(report) {
  return report.cases.flatMap((one) =>
    one.failures
      .filter((failure) => !(failure.differences ?? [['failure']]).every(isWording))
      .map((failure) => ({ case: one.case, ...failure })),
  )
}

function isWording([field, expected, got]) {
  if (!Array.isArray(expected) || !Array.isArray(got) || expected.length !== got.length) return false
  if (field === 'responses') return expected.every((answer, index) => differences(answer, got[index]).length === 0)
  return field === 'access' && areAlike(expected, got)
}

function areAlike(expected, got) {
  const isPipelined = expected.filter((line) => COUNTS.test(line)).length > 1
  return expected.every((line, index) => {
    const other = got[index]
    const [theirs, ours] = [COUNTS.exec(line), COUNTS.exec(other)]
    if (theirs === null || ours === null) return line.replace(PAGE_SIZE, '$1') === other.replace(PAGE_SIZE, '$1')
    const received = ours[2] - theirs[2]
    return ours[1] === theirs[1] && ours[3] === theirs[3] && (received === 0 || (isPipelined && received === -1))
  })
}
