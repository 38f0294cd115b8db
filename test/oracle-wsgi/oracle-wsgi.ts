// npm run oracle:wsgi [-- --seed N --count M --show K] [-- --plants]: asks Apache httpd with mod_wsgi and Gatewright for random
// requests to applications, in several process groups and mount points, and reports every difference in status, fields and body,
// which shows the environ. With --plants, a directive of Gatewright is another one, and differences must be found. Needs apache2,
// libapache2-mod-wsgi-py3 and a built dist/. Ends with a line `N passed, N failed`.
import { connect } from 'node:net'
import { parseArgs } from 'node:util'
import { freePort } from '../fixtures/free-port.ts'
import { Random } from '../fixtures/random.ts'
import { type Contestant, contestantsWith, type Running, start } from '../oracle-expr/contestant.ts'
import { Site } from '../oracle-expr/site.ts'
import { ENVIRON_APPLICATION } from './environ-application.ts'
import { randomRequest, requestText } from './request-generator.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '500' },
    show: { type: 'string', default: '15' },
    plants: { type: 'boolean', default: false },
  },
})

/** Fields that each server has of its own. */
const NOT_COMPARED = new Set(['date', 'server', 'connection', 'keep-alive', 'transfer-encoding', 'vary', 'content-length'])

const random = new Random(Number(options.seed))
const site = new Site()
site.write('environ.wsgi', ENVIRON_APPLICATION)
site.write('own/environ.wsgi', ENVIRON_APPLICATION)
const port = await freePort()
const running: Running[] = []
try {
  for (const contestant of contestantsWith(['wsgi'], linesOf)) running.push(await start(contestant, site, port, configuration()))
  await compare()
} finally {
  for (const one of running) await one.stop()
  site.remove()
}

function configuration(): string[] {
  const script = `${site.tree}/environ.wsgi`
  return [
    'LogLevel error',
    'WSGIDaemonProcess one threads=2 shutdown-timeout=1',
    'WSGIDaemonProcess several processes=2 threads=1 shutdown-timeout=1',
    `WSGIScriptAlias /app ${script} process-group=one application-group=%{GLOBAL}`,
    `WSGIScriptAlias /deep/er ${script} process-group=several`,
    `WSGIScriptAlias /caf\xc3\xa9 ${script} process-group=one application-group=%{SERVER}`,
    `WSGIScriptAlias /folder/ ${site.tree}/ process-group=one`,
    `WSGIScriptAliasMatch ^/m/([a-z]+) ${site.tree}/$1.wsgi process-group=one application-group=m`,
    `WSGIScriptAlias /own ${site.tree}/own/environ.wsgi process-group=one callable-object=application pass-authorization=On`,
    `WSGIScriptAlias /e ${script} application-group=e`,
    'SetEnv FOO bar',
    'SetEnvIf X-A "(.+)" A=$1',
    '<Location /deep>',
    'WSGIChunkedRequest On',
    'WSGIPassAuthorization On',
    '</Location>',
    '<Location /own>',
    'WSGIErrorOverride On',
    'WSGIChunkedRequest On',
    '</Location>',
    '<Location /m>',
    'WSGIMapHEADToGET On',
    '</Location>',
  ]
}

/** What is wrong on purpose with --plants. */
function linesOf({ name }: Contestant): readonly string[] {
  return options.plants && name === 'gatewright' ? ['WSGIPassAuthorization On', 'WSGIMapHEADToGET On'] : []
}

async function compare(): Promise<void> {
  const count = Number(options.count)
  let failed = 0
  for (let index = 0; index < count; index++) {
    const asked = randomRequest(random)
    const text = requestText(asked, random.pick(['oracle.example', `oracle.example:${port}`, 'other.example:81', '127.0.0.9']))
    const [theirs, ours] = await Promise.all(running.map(({ contestant }) => visit(contestant.address, text)))
    if (theirs === ours) continue
    if (++failed > Number(options.show)) continue
    console.log(`--- ${JSON.stringify(text.slice(0, 600))}\n${differences(theirs, ours)}`)
  }
  if (options.plants) {
    console.log(`${failed} differences by planted mistakes`)
    console.log(failed > 0 ? '1 passed, 0 failed' : '0 passed, 1 failed')
    process.exitCode = failed > 0 ? 0 : 1
    return
  }
  console.log(`${count - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}

/** The lines that differ. */
function differences(theirs: string, ours: string): string {
  const [left, right] = [theirs.split('\n'), ours.split('\n')]
  const lines: string[] = []
  for (const line of left) if (!right.includes(line)) lines.push(`      httpd      ${line.slice(0, 300)}`)
  for (const line of right) if (!left.includes(line)) lines.push(`      gatewright ${line.slice(0, 300)}`)
  return lines.slice(0, 12).join('\n')
}

/** Status, fields in any order, and body; bodies of errors are the servers' own. */
async function visit(address: string, text: string): Promise<string> {
  const answer = await exchange(address, text)
  const end = answer.indexOf('\r\n\r\n')
  if (end < 0) return answer === '' ? 'no answer' : answer
  const [statusLine, ...lines] = answer.slice(0, end).split('\r\n')
  const fields = lines.filter((line) => !NOT_COMPARED.has(line.slice(0, line.indexOf(':')).toLowerCase())).sort()
  const isOwn = fields.some((line) => /^x-one:/i.test(line))
  const body = answer.slice(end + 4)
  return [statusLine, ...(isOwn ? fields : []), isOwn ? unchunked(body, lines) : ''].join('\n')
}

function unchunked(body: string, lines: readonly string[]): string {
  if (!lines.some((line) => /^transfer-encoding:.*chunked/i.test(line))) return body
  let text = ''
  for (let at = 0; at < body.length; ) {
    const line = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.slice(at, line), 16)
    if (!(size > 0)) break
    text += body.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
  }
  return text
}

function exchange(address: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, address, () => socket.write(text, 'latin1'))
    socket.setEncoding('latin1').on('data', (part: string) => (answer += part))
    socket.setTimeout(20_000, () => socket.destroy())
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
  })
}
