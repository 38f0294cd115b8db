import type { PolicyServer } from '@gatewright/policy'
import { ConfigFiles, readAccessLine, readErrorLine, urlPathOf } from '@gatewright/policy'
import type { ExplainRequest } from './explain-options.ts'

/** The question that a line of a log asks, and remarks about the line. */
export interface LoggedQuestion {
  readonly request: ExplainRequest
  readonly notes: readonly string[]
  /** The status that the line has; null if it has none. */
  readonly status: number | null
}

/**
 * Turns the line of a log into the question. Options of the command line that the line does not answer stay.
 * @param texts the files of the configuration, by path
 * @returns a complaint if the line cannot be read
 */
export function loggedQuestion(
  request: ExplainRequest,
  { configuration }: PolicyServer,
  texts: ReadonlyMap<string, string>,
): LoggedQuestion | { readonly complaint: string } {
  const { line, question, localEnd } = request
  if (line === null) return { request, notes: [], status: null }
  if (line.kind === 'access') {
    const read = readAccessLine(line.text, logFormats(texts))
    if (read === null) return { complaint: 'no LogFormat of the configuration fits this line, or it contains no request' }
    const { method, target, host, port, client, user, headers, status } = read
    return {
      request: {
        ...request,
        question: {
          ...question,
          method,
          target,
          host: host ?? question.host,
          client: client ?? question.client,
          credentials: user === null ? question.credentials : { user, password: null },
          headers: [...question.headers, ...headers],
        },
        localEnd: port === null ? localEnd : { ...localEnd, port, isPortWritten: true },
      },
      notes: [
        `the line was read as "${read.format}"`,
        ...(client === null ? ['the line has no address of the client: 127.0.0.1 is assumed'] : []),
      ],
      status,
    }
  }
  const read = readErrorLine(line.text)
  if (read === null) return { complaint: 'this line names no path of a request' }
  const { path, client, user, referer, meaning } = read
  const roots = [configuration.main, ...configuration.virtualHosts].map(({ documentRoot }) => documentRoot)
  return {
    request: {
      ...request,
      question: {
        ...question,
        target: encodeURI(urlPathOf(path, roots)).replaceAll('?', '%3F').replaceAll('#', '%23'),
        client: client ?? question.client,
        credentials: user === null ? question.credentials : { user, password: null },
        headers: referer === null ? question.headers : [...question.headers, ['Referer', referer]],
      },
    },
    notes: [
      ...(meaning === '' ? [] : [`the message means: ${meaning}`]),
      ...(user === null ? [] : ['the correct password is assumed: add -u NAME:PASSWORD for the one that the client sent']),
      'an error log has no host and no query: add http://host/path?query, if they matter',
    ],
    status: null,
  }
}

/** The formats of LogFormat and CustomLog lines. */
function logFormats(texts: ReadonlyMap<string, string>): string[] {
  const formats: string[] = []
  for (const { item } of new ConfigFiles(texts).items()) {
    if (item.kind !== 'directive') continue
    const name = item.name.toLowerCase()
    const format = name === 'logformat' ? item.words[0] : name === 'customlog' ? item.words[1] : undefined
    if (format?.includes('%') === true) formats.push(format.replaceAll('\\"', '"'))
  }
  return formats
}
