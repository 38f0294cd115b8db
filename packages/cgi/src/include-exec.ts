import type { Request } from '@gatewright/api'
import type { IncludeElement } from '@gatewright/api/peers'
import { decodePercent, escapeHtml, escapeShell, escapeUriPath } from '@gatewright/api/text'
import { PlainExchange, ResponseStream } from '@gatewright/upstream'
import { environmentOf } from './environment.ts'
import { CGI_TYPE, type CgiParts, startProgram } from './handler.ts'

/** The element `exec` of mod_include. */
export async function execElement(element: IncludeElement, parts: CgiParts): Promise<void> {
  const { request, file } = element
  const report = (code: string, text: string): void => {
    parts.log.write(request, 'error', code, text)
    element.fail()
  }
  if (element.attributes.length === 0) return report('AH03195', `missing argument for exec element in ${file}`)
  if (!request.hasOption('Includes')) return report('AH01228', `exec used but not allowed in ${file}`)
  for (const [name, value] of element.attributes) {
    if (value === null) return
    const text = element.expand(value)
    if (name === 'cmd') {
      if (!(await runCommand(text, element, parts)))
        return report('AH01229', `execution failure for parameter "${name}" to tag exec in file ${file}`)
    } else if (name === 'cgi') {
      if (!(await includeScript(text, element))) return report('AH01230', `invalid CGI ref "${value}" in ${file}`)
    } else return report('AH01231', `unknown parameter "${name}" to tag exec in ${file}`)
  }
}

/** Adds what a command of the shell writes. @returns false if it was not started */
async function runCommand(command: string, element: IncludeElement, parts: CgiParts): Promise<boolean> {
  const { request } = element
  const spawner = parts.spawner()
  if (spawner === null) return true
  const env = environmentOf(await variablesOf(element))
  const program = await startProgram(request, parts, spawner, {
    file: '/bin/sh',
    name: '/bin/sh',
    args: ['-c', command],
    env,
    hasInput: false,
    // As in httpd, they are logged as they are.
    errors: 'server',
  })
  if (program === null) return false
  const exchange = new PlainExchange(program.connection, parts.configOf(request).timeout ?? request.server.timeout, {
    onData: (bytes) => output.push(bytes),
    onEnd: () => output.end(),
    // What a command writes before it breaks off stays in the page.
    onError: () => output.end(),
  })
  const output = new ResponseStream(exchange, -1)
  if ((await program.running) !== null) return false
  exchange.endRequest()
  try {
    for await (const chunk of output) await element.write(chunk)
    program.end('left')
  } catch (error) {
    program.end('broken')
    throw error
  }
  return true
}

/** The variables of the page with those that its commands get besides. */
async function variablesOf({ request, variables }: IncludeElement): Promise<Map<string, string>> {
  const all = new Map(variables())
  if (request.pathInfo !== '') {
    all.set('PATH_INFO', escapeShell(request.pathInfo))
    const translated = await request.lookupUri(escapeUriPath(request.pathInfo))
    if (translated.filename !== '') all.set('PATH_TRANSLATED', translated.filename + translated.pathInfo)
  }
  if (request.args !== null) {
    all.set('QUERY_STRING', request.args)
    all.set('QUERY_STRING_UNESCAPED', escapeShell(decodePercent(request.args)))
  }
  return all
}

/** Adds the response of a script of this server, which gets path information and query of the page. */
async function includeScript(uri: string, element: IncludeElement): Promise<boolean> {
  const sub: Request = await element.request.lookupUri(uri)
  if (sub.status !== 200 || sub.pathInfo !== '' || sub.args !== null || sub.fileInfo?.kind !== 'file') return false
  sub.pathInfo = element.request.pathInfo
  sub.args = element.request.args
  sub.contentType = CGI_TYPE
  const status = await element.include(sub)
  const location = status >= 300 && status < 400 ? sub.headersOut.get('Location') : undefined
  if (location !== undefined) {
    const text = escapeHtml(location)
    await element.write(Buffer.from(`<a href="${text}">${text}</a>`, 'latin1'))
  }
  return true
}
