import type { InjectedResponse } from '@gatewright/core'
import type { Question } from '../question.ts'
import { reasonPhrase } from '../reason-phrase.ts'
import type { Expectation } from './expectation.ts'

/** The part of an answer that expectations describe. */
export interface Answer {
  readonly status: number
  /** The text after the status code. */
  readonly reason: string
  readonly location: string | null
}

/** Whether an answer matches the expectation. */
export function isExpected(answer: Answer, { statuses, location }: Expectation, question: Question): boolean {
  return (
    statuses.some((status) => matches(answer.status, status)) &&
    (location === null || location === answer.location || location === pathOnSameHost(answer.location, question))
  )
}

export function answerOf(response: InjectedResponse): Answer {
  return { status: response.status, reason: reasonPhrase(response), location: response.header('Location') ?? null }
}

export function answerText({ status, reason, location }: Answer): string {
  return [status, reason, ...(location === null ? [] : [location])].filter((word) => word !== '').join(' ')
}

export function expectedText({ statuses, location }: Expectation): string {
  return [statuses.join(' or '), ...(location === null ? [] : [location])].join(' ')
}

function matches(status: number, expected: string): boolean {
  return expected.endsWith('xx') ? Math.floor(status / 100) === Number(expected[0]) : status === Number(expected)
}

/**
 * The path of a Location that refers to the host of the request; null for any other, because a redirect to
 * another host never counts as one within the site.
 */
function pathOnSameHost(location: string | null, { host, localPort }: Question): string | null {
  const [, scheme, authority, path] = /^(https?):\/\/([^/?#]*)(.*)$/i.exec(location ?? '') ?? []
  if (path === undefined) return null
  const isHttps = scheme.toLowerCase() === 'https'
  if (isHttps !== (localPort === 443)) return null
  const standard = isHttps ? ':443' : ':80'
  const bare = (name: string): string => (name.endsWith(standard) ? name.slice(0, -standard.length) : name).toLowerCase()
  return bare(authority) === bare(host) ? path : null
}
