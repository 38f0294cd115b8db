/**
 * Asks Apache httpd and this server for random SSLRequire lines whether they are accepted, and with which
 * message they are refused: `node ... oracle-ssl-require.ts --seed 1 --count 2000`. Each line is in a .htaccess
 * file of its own, so that one start is enough.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { site } from '@gatewright/testing'
import authzCore from '../../modules/mod_authz_core/src/index.ts'
import ssl from '../../modules/mod_ssl/src/index.ts'
import { randomExpressions } from './random-expression.ts'

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '2000' } } })
const next = randomExpressions(Number(values.seed))
const expressions = Array.from({ length: Number(values.count) }, next).filter(
  (text) => !/[\n\0]/.test(text) && !endsTheScanner(text),
)

/** httpd's scanner ends its process on these. */
function endsTheScanner(text: string): boolean {
  return /%\{[^}"]*"/.test(text) || /%\{[^}']*'/.test(text) || text.endsWith('\\')
}

const ours = await askOurs()
const theirs = await askHttpd()
let different = 0
for (const [index, expression] of expressions.entries()) {
  if (ours[index] === theirs[index]) continue
  different++
  if (different <= 20) console.log(`SSLRequire ${expression}\n  httpd: ${theirs[index]}\n  here:  ${ours[index]}`)
}
const accepted = theirs.filter((answer) => answer === 'accepted').length
console.log(`${expressions.length} expressions, ${accepted} accepted by httpd, ${different} differences`)
process.exitCode = different === 0 ? 0 : 1

async function askOurs(): Promise<readonly string[]> {
  const files = Object.fromEntries(expressions.map((text, index) => [`docs/${index}/.htaccess`, `SSLRequire ${text}\n`]))
  const server = await site({
    modules: [authzCore, ssl],
    config: '<Directory "@ROOT@/docs">\nAllowOverride All\nRequire all granted\n</Directory>',
    files,
  })
  const answers: string[] = []
  for (const index of expressions.keys()) {
    const before = server.errors().length
    const { status } = await server.inject(`/${index}/none`)
    answers.push(answerOf(status, server.errors().slice(before).join('\n')))
  }
  await server.close()
  return answers
}

/** The message of a line that is refused; patterns that do not compile have words of their own. */
function answerOf(status: number, log: string): string {
  if (status !== 500) return 'accepted'
  const [, message = log] = /(SSLRequire: [^\n]*)/.exec(log) ?? []
  // This server adds a hint.
  return message
    .replace(/: httpd -t --htaccess lists every mistake$/, '')
    .replace(/(Failed to compile regular expression).*/, '$1')
}

async function askHttpd(): Promise<readonly string[]> {
  const root = mkdtempSync(join(tmpdir(), 'ssl-require-'))
  mkdirSync(join(root, 'logs'))
  for (const [index, text] of expressions.entries()) {
    mkdirSync(join(root, 'docs', String(index)), { recursive: true })
    writeFileSync(join(root, 'docs', String(index), '.htaccess'), `SSLRequire ${text}\n`)
  }
  const port = await freePort()
  const modules = ['mpm_event', 'authz_core', 'ssl'].map(
    (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
  )
  const lines = [
    ...modules,
    `ServerName localhost\nListen 127.0.0.1:${port}\nUser www-data\nGroup www-data`,
    `PidFile ${root}/pid\nErrorLog ${root}/logs/error\nErrorLogFormat "%M"\nDocumentRoot ${root}/docs`,
    `<Directory ${root}/docs>\nAllowOverride All\nRequire all granted\n</Directory>`,
  ]
  writeFileSync(join(root, 'httpd.conf'), `${lines.join('\n')}\n`)
  await new Promise<void>((resolve) => spawn('chmod', ['-R', 'a+rX', root]).on('exit', () => resolve()))
  const child = spawn('apache2', ['-d', root, '-f', join(root, 'httpd.conf'), '-D', 'FOREGROUND'], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const ask = async (target: string): Promise<number> => (await fetch(`http://127.0.0.1:${port}${target}`)).status
  for (let attempt = 0; ; attempt++) {
    try {
      await ask('/')
      break
    } catch (error) {
      if (attempt > 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const statuses: number[] = []
  for (const index of expressions.keys()) statuses.push(await ask(`/${index}/none`))
  child.kill('SIGTERM')
  await ended
  const log = new Map<number, string>()
  for (const line of readFileSync(join(root, 'logs/error'), 'latin1').split('\n')) {
    const place = /docs\/(\d+)\/\.htaccess: (.*)/.exec(line)
    if (place !== null) log.set(Number(place[1]), place[2])
  }
  rmSync(root, { recursive: true, force: true })
  return statuses.map((status, index) => answerOf(status, log.get(index) ?? ''))
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
