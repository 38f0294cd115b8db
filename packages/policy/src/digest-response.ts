import { createHash } from 'node:crypto'
import type { Question } from './question.ts'

/**
 * The Authorization field that answers a Digest challenge (RFC 7616, MD5 and qop=auth as in httpd); null if
 * there is no such challenge.
 */
export function digestResponse(challenge: string | undefined, question: Question, user: string, password: string): string | null {
  if (challenge === undefined || !/^digest /i.test(challenge)) return null
  const realm = unescaped(parameter(challenge, 'realm') ?? '')
  const nonce = parameter(challenge, 'nonce') ?? ''
  const cnonce = '0a4f113b'
  const nc = '00000001'
  const a1 = md5(`${user}:${realm}:${password}`)
  const a2 = md5(`${question.method}:${question.target}`)
  const response = md5(`${a1}:${nonce}:${nc}:${cnonce}:auth:${a2}`)
  const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
  return (
    `Digest username=${quoted(user)}, realm=${quoted(realm)}, nonce="${nonce}", uri=${quoted(question.target)}, ` +
    `algorithm=MD5, response="${response}", qop=auth, nc=${nc}, cnonce="${cnonce}"`
  )
}

function parameter(challenge: string, name: string): string | undefined {
  return new RegExp(`[ ,]${name}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(challenge)?.[1]
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, '$1')
}

function md5(text: string): string {
  return createHash('md5').update(text, 'latin1').digest('hex')
}
