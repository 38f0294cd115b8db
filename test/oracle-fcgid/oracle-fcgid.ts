// npm run oracle:fcgid [-- --seed N --count M --show K] [-- --plants]: asks Apache httpd with mod_fcgid and Gatewright for random
// requests to FastCGI programs, which answer in many right and wrong ways, with wrappers, actions and programs that decide about
// access, and reports every difference in status, fields, body and log lines. With --plants, directives of Gatewright are other
// ones, and differences must be found for each. Needs apache2, libapache2-mod-fcgid, perl and a built dist/. Ends with a line
// `N passed, N failed`.
import { chmodSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { PROGRAM } from '../../modules/mod_fcgid/test/program.ts'
import { freePort } from '../fixtures/free-port.ts'
import { Random } from '../fixtures/random.ts'
import { type Contestant, contestantsWith, type Running, start } from '../oracle-expr/contestant.ts'
import { Site } from '../oracle-expr/site.ts'
import { randomRequest } from './request-generator.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '400' },
    show: { type: 'string', default: '15' },
    plants: { type: 'boolean', default: false },
  },
})

/** Fields that each server has of its own. */
// httpd shows clients the variables of programs that decide about access.
const NOT_COMPARED = new Set(['variable-seen', 'date', 'server', 'keep-alive', 'content-length', 'accept-ranges', 'allow'])
/** Lines of Gatewright that are wrong on purpose with --plants. */
const PLANTS: readonly (readonly string[])[] = [
  ['FcgidMaxRequestLen 400'],
  ['FcgidInitialEnv FOO other'],
  ['FcgidPassHeader X-Other'],
  ['FcgidOutputBufferSize 10'],
  ['<Location /p>', 'FcgidWrapper /bin/true .fcgi', '</Location>'],
  ['<Location /authz>', 'FcgidAuthorizerAuthoritative Off', '</Location>'],
]

const site = new Site()
for (const name of [
  'p/a.fcgi',
  'p/sub/b.fcgi',
  'p/off/c.fcgi',
  'p/nopath/d.fcgi',
  'p/wrapper',
  'aliased/a.fcgi',
  'auth/a.fcgi',
  'checker',
  'act.fcgi',
]) {
  site.write(name, PROGRAM)
  chmodSync(`${site.tree}/${name}`, 0o755)
}
for (const name of ['authz', 'access', 'soft']) {
  site.write(`${name}/a.fcgi`, PROGRAM)
  chmodSync(`${site.tree}/${name}/a.fcgi`, 0o755)
}
site.write('p/w.wrap', 'not a program\n')
site.write('p/plain.txt', 'plain\n')
site.write('act/page.act', 'page\n')
let failed = 0
try {
  if (options.plants) {
    for (const plant of PLANTS) {
      const found = await campaign(plant)
      if (found === 0) failed++
      console.log(`${found} differences by ${plant.join(' ')}`)
    }
    console.log(`${PLANTS.length - failed} passed, ${failed} failed`)
  } else {
    failed = await campaign([])
    console.log(`${Number(options.count) - failed} passed, ${failed} failed`)
  }
} finally {
  site.remove()
}
process.exitCode = failed > 0 ? 1 : 0

function configuration(): string[] {
  const { tree } = site
  const decides = (path: string, ...lines: string[]): string[] => [`<Directory ${tree}/${path}>`, ...lines, '</Directory>']
  return [
    'LogLevel warn',
    'Timeout 20',
    'FcgidIPCDir /tmp',
    'FcgidSpawnScoreUpLimit 1000000',
    'FcgidErrorScanInterval 1',
    'FcgidMaxRequestLen 100000',
    'FcgidMaxRequestInMem 60000',
    'FcgidInitialEnv FOO bar',
    'FcgidInitialEnv EMPTY',
    'FcgidPassHeader X-Passed',
    'FcgidPassHeader Authorization',
    `FcgidCmdOptions ${tree}/p/sub/b.fcgi InitialEnv CMD=own MaxRequestsPerProcess 3 IOTimeout 10`,
    'FcgidMaxRequestsPerProcess 20',
    `ScriptAlias /alias/ ${tree}/aliased/`,
    `<Directory ${tree}>`,
    'Options +ExecCGI',
    'AddHandler fcgid-script .fcgi .wrap .any',
    'Action show /act.fcgi',
    'AddHandler show .act',
    'Require all granted',
    '</Directory>',
    ...decides('aliased', 'SetHandler fcgid-script', 'Options -ExecCGI'),
    ...decides('p', `FcgidWrapper "${tree}/p/wrapper one 'two words'" .wrap`, `FcgidWrapper ${tree}/p/wrapper .any virtual`),
    ...decides('p/off', 'Options -ExecCGI'),
    ...decides('p/nopath', 'AcceptPathInfo Off'),
    ...decides(
      'auth',
      'AuthType Basic',
      'AuthName a',
      'AuthBasicAuthoritative Off',
      `AuthUserFile ${site.root}/users`,
      `FcgidAuthenticator ${tree}/checker`,
      'Require valid-user',
    ),
    ...decides(
      'authz',
      `FcgidAuthorizer ${tree}/checker`,
      `FcgidAccessChecker ${tree}/checker`,
      'FcgidAccessCheckerAuthoritative On',
    ),
    ...decides('access', `FcgidAccessChecker "${tree}/checker access"`),
    ...decides('soft', `FcgidAccessChecker ${tree}/checker`, 'FcgidAccessCheckerAuthoritative Off'),
  ]
}

/** @returns the number of differences */
async function campaign(plant: readonly string[]): Promise<number> {
  const random = new Random(Number(options.seed))
  const port = await freePort()
  const running: Running[] = []
  const linesOf = ({ name }: Contestant): readonly string[] => (name === 'gatewright' ? plant : [])
  let different = 0
  try {
    for (const contestant of contestantsWith(['fcgid', 'actions'], () => []))
      running.push(await start(contestant, site, port, [...configuration(), ...linesOf(contestant)]))
    const logs = running.map(() => 0)
    for (let index = 0; index < Number(options.count); index++) {
      const text = randomRequest(random)
      const answers = await Promise.all(running.map(({ contestant }) => visit(contestant.address, port, text)))
      const lines = await Promise.all(running.map((server, at) => newLines(server, logs, at)))
      const [found, ours] = answers.map((answer, at) => `${answer}\n${lines[at]}`)
      // httpd sends the reason of a program that decides about access.
      const theirs = / x$/.test(statusOf(found))
        ? found.replace(
            statusOf(found),
            statusOf(found).startsWith(statusOf(ours).slice(0, 12)) ? statusOf(ours) : statusOf(found),
          )
        : found
      if (theirs === ours) continue
      // httpd keeps the status of a program whose refusal does not count.
      if (/^\w+ \/soft\/.*ACCESS_CHECKER=(?!200)/.test(text) && /X-ACCESS_CHECKER: /.test(theirs)) continue
      // httpd sends the page of an error after the start of a body that breaks off.
      if (answers[1].endsWith('(cut)') && statusOf(theirs) === statusOf(ours)) continue
      if (++different > Number(options.show) || options.plants) continue
      console.log(`--- ${JSON.stringify(text.slice(0, 700))}\n${differences(theirs, ours)}`)
    }
  } finally {
    for (const one of running) await one.stop()
  }
  return different
}

/** The messages about the last request. Some are written after the answer. */
async function newLines(server: Running, logs: number[], at: number): Promise<string> {
  await pause(25)
  const all = server.errors()
  const lines = all.slice(logs[at])
  logs[at] = all.length
  return lines
    .filter((line) => !/cleanup zombie|graceful kill|AH0|AH00|exit\(/.test(line))
    .map((line) =>
      line
        .replace(/^\[[^\]]*\] \[\w*:?(\w+)\] \[pid [^\]]*\] (?:\[client [^\]]*\] )?/, 'log $1 ')
        .replaceAll(/:\d{5}\b/g, ':PORT'),
    )
    .sort()
    .join('\n')
}

function statusOf(answer: string): string {
  return answer.slice(0, answer.indexOf('\n'))
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
async function visit(address: string, port: number, text: string): Promise<string> {
  const answer = await exchange(address, port, text)
  const end = answer.indexOf('\r\n\r\n')
  if (end < 0) return answer === '' ? 'no answer' : answer
  const [statusLine, ...lines] = answer.slice(0, end).split('\r\n')
  const fields = lines.filter((line) => !NOT_COMPARED.has(line.slice(0, line.indexOf(':')).toLowerCase())).sort()
  const isPage = /charset=iso-8859-1/i.test(answer.slice(0, end))
  return [statusLine, ...fields, isPage ? 'page' : unchunked(answer.slice(end + 4), lines)]
    .join('\n')
    .replaceAll(`SERVER_ADDR=${address}`, 'SERVER_ADDR=')
}

function unchunked(body: string, lines: readonly string[]): string {
  if (!lines.some((line) => /^transfer-encoding:.*chunked/i.test(line))) return body
  let text = ''
  for (let at = 0; at < body.length; ) {
    const line = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.slice(at, line), 16)
    if (size === 0) return text
    if (!(size > 0)) break
    text += body.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
  }
  return `${text}(cut)`
}

function exchange(address: string, port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, address, () => socket.write(text, 'latin1'))
    socket.setEncoding('latin1').on('data', (part: string) => (answer += part))
    socket.setTimeout(60_000, () => socket.destroy())
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
  })
}
