// The responses of one server to the requests of a site, and its log lines about them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expand } from '../conformance/lib/cases.mjs'
import { exchange, parseResponses } from '../conformance/lib/client.mjs'
import { Normaliser, readLogs } from '../conformance/lib/observe.mjs'
import { freePort } from '../fixtures/free-port.ts'
import { configuration } from './configuration.mjs'

/** These differ between servers and seconds. */
const NOT_COMPARED = new Set(['server', 'date'])

/** For each request `{ line, fields, body, error }`: the status line, header fields in order, the body and the error log's lines; or `{ failure }`. */
export async function answersOf(site, { server, others, root, options }) {
  const port = await freePort()
  const env = { root, port, loadModule: server.loadModule, moduleDir: server.moduleDir, ipv6: false }
  const normaliser = new Normaliser({ root, port, product: server.product, program: basename(server.program) })
  for (const folder of ['conf', 'logs']) mkdirSync(join(root, folder), { recursive: true })
  const write = (name, text) => writeFileSync(join(root, 'conf', name), expand(text, env))
  write('httpd.conf', configuration({ server, servers: others, site, port, options }))
  write('preamble.conf', server.preamble)
  if (server.epilogue) write('epilogue.conf', server.epilogue)
  const running = await server.start(root, join(root, 'conf/httpd.conf'), port, { timeout: 60_000 })
  const answers = []
  const ports = []
  try {
    for (const request of site.requests) {
      const { answer, localPort } = await ask(request, port, normaliser)
      answers.push(answer)
      ports.push(localPort)
    }
  } finally {
    await server.stop(running)
  }
  const { error } = readLogs(root, normaliser)
  return answers.map((answer, index) => ({ ...answer, error: error.get(ports[index]) ?? [] }))
}

async function ask({ method, target, fields }, port, normaliser) {
  const names = new Set(fields.map(([name]) => name.toLowerCase()))
  const all = [...(names.has('host') ? [] : [['Host', 'localhost']]), ...fields, ['Connection', 'close']]
  const text = `${method} ${target} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  const { localPort, raw } = await exchange({ port, parts: [text], methods: [method], wait: 'response' })
  const response = parseResponses(raw, [method]).at(-1)
  if (response === undefined) return { localPort, answer: { failure: 'no answer' } }
  return { localPort, answer: observed(response, normaliser) }
}

function observed({ line, headers, body }, normaliser) {
  const date = headers.find(([name]) => name.toLowerCase() === 'date')?.[1]
  const sent = body.toString('latin1')
  const text = normaliser.text(sent)
  // A length that depends on a port or a product's name is not compared.
  const lengthOf = (value) => (text === sent ? value : '*')
  const fields = headers
    .filter(([name]) => !NOT_COMPARED.has(name.toLowerCase()))
    .map(([name, value]) => [
      name,
      isTime(name) ? sinceDate(value, date) : isLength(name) ? lengthOf(value) : normaliser.text(value),
    ])
  return { line, fields, body: text }
}

const isLength = (name) => name.toLowerCase() === 'content-length'
const isTime = (name) => name.toLowerCase() === 'expires'

/** A time of the answer's own clock, so that two servers can be asked in different seconds. */
function sinceDate(value, date) {
  const seconds = (Date.parse(value) - Date.parse(date)) / 1000
  return Number.isNaN(seconds) ? value : `Date + ${seconds} s`
}
