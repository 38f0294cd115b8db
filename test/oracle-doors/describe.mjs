// A world of one host, as text for a reader: configuration, files, the request and both answers.
import { toLines } from '../oracle/tree.mjs'
import { describeHost } from './layout.mjs'

/** @param title its name in the report */
export function describe(title, { world, host, differences }) {
  const { allowMethods, oldStyle, logLevel } = world
  const settings = [
    allowMethods ? 'mod_allowmethods' : '',
    oldStyle ? 'AccessCompatPrecedence httpd' : '',
    `LogLevel ${logLevel}`,
  ].filter(Boolean)
  return [
    `=== ${title} (${settings.join(', ')})`,
    ...indented([...toLines(world.main), ...describeHost(host)]),
    ...indented(fileLines(host)),
    ...host.requests.flatMap((request) => indented(requestLines(request))),
    ...differenceLines(differences),
  ].join('\n')
}

/** @returns the differing fields with both values, one line each unless a value has several */
export function differenceLines(differences) {
  return differences.flatMap(({ field, expected, got }) => [
    `  ${field}:`,
    `    httpd ${show(expected)}`,
    `    ours  ${show(got)}`,
  ])
}

function fileLines({ files }) {
  const names = Object.entries(files).map(([name, { link, folder, text }]) =>
    link !== undefined
      ? `${name} -> ${link}`
      : folder
        ? `${name}/`
        : name.endsWith('.var')
          ? `${name}: ${JSON.stringify(text)}`
          : name,
  )
  return names.length === 0 ? [] : [`# files: ${names.join(', ')}`]
}

function requestLines({ method, target, version, fields, body, to, port, from }) {
  const way = `${from === '127.0.0.1' ? '' : ` from ${from}`}${to === '127.0.0.1' && port === 'P' ? '' : ` to ${to}:@${port}@`}`
  const first = version === '0.9' ? `${method} ${target}` : `${method} ${target} HTTP/${version}`
  return [
    `> ${first}${way}`,
    ...fields.map(([name, value]) => `> ${name}: ${value}`),
    ...(body === undefined ? [] : [`> (body) ${body}`]),
  ]
}

function show(value) {
  return value === undefined ? '(none)' : JSON.stringify(value).slice(0, 600)
}

function indented(lines) {
  return lines.map((line) => `  ${line}`)
}
