import type { Question } from './question.ts'
import { shownQuestion } from './shown-question.ts'

/** A command that sends the request, from a machine that has the client's address. */
export function curlCommand(question: Question): string {
  const { method, target, host, localPort, client, credentials } = question
  const authority = /:\d+$/.test(host) || localPort === 80 ? host : `${host}:${localPort}`
  const words = ['curl', '-i']
  if (method === 'HEAD') words.push('--head')
  else if (method !== 'GET') words.push('-X', method)
  if (client === '127.0.0.1' || client === '::1') words.push('--interface', client)
  if (credentials !== null)
    words.push('--anyauth', '-u', quoted(`${credentials.user}${credentials.password === null ? '' : ':...'}`))
  for (const [name, value] of shownQuestion(question).headers) words.push('-H', quoted(`${name}: ${value}`))
  return [...words, quoted(`http://${authority}${target}`)].join(' ')
}

/** Quoted for a shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
