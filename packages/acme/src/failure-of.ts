import { AcmeFailure } from './acme-failure.ts'
import type { Reply } from './https-client.ts'
import { objectsOf, parseObject, textOf } from './json-fields.ts'

/** The longest wait that a CA can ask for: a day. */
const LONGEST_WAIT = 86_400_000
/** Characters of a CA's own words that are logged. */
const DETAIL_LIMIT = 1_000

/** What an answer that is no success means. */
export function statusFailure(reply: Reply): AcmeFailure {
  const wait = retryAfter(reply, Date.now())
  if (reply.field('content-type').toLowerCase().startsWith('application/problem+json')) {
    try {
      const object = parseObject(reply.body, reply.url)
      const type = printable(textOf(object, 'type'))
      const more = objectsOf(object, 'subproblems').map((one) => textOf(one, 'detail'))
      const detail = printable([textOf(object, 'detail'), ...more].filter((text) => text !== '').join('; '))
      return new AcmeFailure(`acme problem ${type}: ${detail}`, { type, detail, status: reply.status }, wait)
    } catch {
      // A problem document that is none.
    }
  }
  if (reply.status === 503) {
    return new AcmeFailure(
      `The ACME server at <${reply.url}> reports that Service is Unavailable (503). This may happen during maintenance for short periods of time.`,
      null,
      wait,
    )
  }
  return new AcmeFailure(
    `The ACME server at <${reply.url}> responded with HTTP status ${reply.status}. This is unusual. Please verify that the URL is correct and that you can indeed make request from the server to it by other means, e.g. invoking curl/wget.`,
    null,
    wait,
  )
}

/** Milliseconds that Retry-After asks for, in seconds or as a date; 0 without, or when it cannot be read. */
export function retryAfter(reply: Reply, now: number): number {
  const text = reply.field('retry-after').trim()
  if (text === '') return 0
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), LONGEST_WAIT)
}

/** A CA's words, without what could forge log lines. */
export function printable(text: string): string {
  return text.replace(/[^ -~]/g, '?').slice(0, DETAIL_LIMIT)
}
