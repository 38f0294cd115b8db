// A policy that differs, as text: what can be pasted into a configuration, the requests as curl commands, and both answers.
import { configuration, policyFiles, policyRequests } from './layout.mjs'

/** @param title the policy's name in the report */
export function describe(title, { policy, differences }) {
  const named = new Set(differences.map(({ request }) => request))
  const requests = policyRequests(policy, 0)
  const shown = named.has(-1) ? requests : requests.filter((_, index) => named.has(index))
  return [
    `=== ${title}`,
    ...indented(configuration([], [policy]).lines),
    ...htaccessLines(policy),
    ...(policy.startCheck ? ['  $ httpd -t'] : shown.map((request) => `  $ ${curl(request)}`)),
    ...differences.flatMap(differenceLines),
  ].join('\n')
}

function htaccessLines(policy) {
  return Object.entries(policyFiles(policy, 0)).flatMap(([name, text]) =>
    name.endsWith('.htaccess') ? [`  # ${name}`, ...indented(text.trimEnd().split('\n'))] : [],
  )
}

/** Of two lists, only the differing lines are shown. */
function differenceLines({ where, field, expected, got }) {
  const isList = Array.isArray(expected) && Array.isArray(got)
  const wanted = isList ? expected.filter((line) => !got.includes(line)) : [expected]
  const found = isList ? got.filter((line) => !expected.includes(line)) : [got]
  const none = isList && wanted.length + found.length === 0
  return [
    `  ${where}, ${field}:`,
    ...(none ? [`    httpd ${JSON.stringify(expected)}`, `    ours  ${JSON.stringify(got)}`] : []),
    ...wanted.map((line) => `    httpd ${show(line)}`),
    ...found.map((line) => `    ours  ${show(line)}`),
  ]
}

function show(value) {
  return value === undefined ? '(none)' : typeof value === 'string' ? value : JSON.stringify(value)
}

function curl({ method, target, headers, body, from }) {
  const host = from.includes(':') ? '[::1]' : '127.0.0.1'
  const fields = Object.entries(headers).map(([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`)
  const words = [
    'curl',
    '-i',
    '--path-as-is',
    ...(method === 'HEAD' ? ['-I'] : method === 'GET' ? [] : ['-X', method]),
    ...fields,
  ]
  if (body !== undefined) words.push('-d', quoted(body))
  if (from !== '127.0.0.1' && from !== '::1') words.push('--interface', from)
  return [...words, quoted(`http://${host}:PORT${target}`)].join(' ')
}

function quoted(text) {
  return /^[\w:/.@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function indented(lines) {
  return lines.map((line) => `  ${line}`)
}
