import type { Question } from './question.ts'
import { shownQuestion } from './shown-question.ts'
import type { TlsQuestion } from './tls-question.ts'

/** A command that sends the request, from a machine that has the client's address. */
export function curlCommand(question: Question): string {
  const { method, target, host, localPort, client, credentials } = question
  const { tls = null } = question
  const usual = tls === null ? 80 : 443
  const authority = /:\d+$/.test(host) || localPort === usual ? host : `${host}:${localPort}`
  const words = ['curl', '-i']
  if (method === 'HEAD') words.push('--head')
  else if (method !== 'GET') words.push('-X', method)
  if (tls !== null) words.push(...tlsWords(tls))
  if (client === '127.0.0.1' || client === '::1') words.push('--interface', client)
  if (credentials !== null)
    words.push('--anyauth', '-u', quoted(`${credentials.user}${credentials.password === null ? '' : ':...'}`))
  for (const [name, value] of shownQuestion(question).headers) words.push('-H', quoted(`${name}: ${value}`))
  const named = tls?.serverName ?? null
  if (named !== null && named !== host.replace(/:\d+$/, '')) {
    words.push('-H', quoted(`Host: ${host}`))
    return [...words, quoted(`https://${named}:${localPort}${target}`)].join(' ')
  }
  return [...words, quoted(`http${tls === null ? '' : 's'}://${authority}${target}`)].join(' ')
}

/** curl sends the name of the URL as SNI: for another one, the Host field differs from the URL. */
function tlsWords({ version, ciphers, certificate }: TlsQuestion): string[] {
  const words: string[] = []
  if (version === 'TLSv1.2') words.push('--tlsv1.2', '--tls-max', '1.2')
  if (version === 'TLSv1.3') words.push('--tlsv1.3')
  if (ciphers !== null) words.push(version === 'TLSv1.3' ? '--tls13-ciphers' : '--ciphers', quoted(ciphers))
  if (certificate !== null) words.push('--cert', quoted(certificate.file))
  return words
}

/** Quoted for a shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
