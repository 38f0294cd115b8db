import type { Question } from './question.ts'

/** A question as others may see it: an explanation is passed on, and commands of it are copied. */
export function shownQuestion(question: Question): Question {
  const { credentials, headers, tls = null } = question
  return {
    ...question,
    credentials: credentials === null ? null : { user: credentials.user, password: null },
    ...(tls !== null && tls.certificate !== null && { tls: { ...tls, certificate: { ...tls.certificate, pem: '' } } }),
    headers: headers.map(([name, value]) => [name, isCredentials(name) ? '...' : value]),
  }
}

/** True for a request whose credentials are in a header field given explicitly. */
export function hasCredentialField({ headers }: Question): boolean {
  return headers.some(([name]) => isCredentials(name))
}

function isCredentials(name: string): boolean {
  return /^(?:proxy-)?authorization$/i.test(name)
}
