import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type FileWithMode, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import alias from '../../mod_alias/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import cgi from '../../mod_cgi/src/index.ts'
import env from '../../mod_env/src/index.ts'
import headers from '../../mod_headers/src/index.ts'
import status from '../../mod_status/src/index.ts'
import cgid from '../src/index.ts'

const LIMIT = 30_000

/** A script; the number of its process is in a file beside it. */
function script(text: string): FileWithMode {
  return { text: `#!/bin/sh\necho $$ > "$0.pid"\n${text}`, mode: 0o755 }
}

const SCRIPTS = {
  'cgi/echo': script('printf "Content-Type: text/plain\\n\\n"; cat'),
  'cgi/endless': script('printf "Content-Type: text/plain\\n\\n"; while :; do echo "endless endless endless endless"; done'),
  'cgi/endless-junk': script('while :; do echo "junk without a colon"; done'),
  'cgi/endless-line': script('tr "\\0" x </dev/zero'),
  'cgi/endless-head': script('while :; do echo "X-A: 1234567890123456789012345678901234567890"; done'),
  'cgi/cut': script('printf "Content-Type: text/plain\\nX-A"; exit 3'),
  'cgi/kept': script('printf "Content-Type: text/plain\\n\\nfirst\\n"; sleep 1000 & echo $! > "$0.pid"; exit 0'),
  'cgi/silent': script('exec sleep 1000'),
  'cgi/unread': script('printf "Content-Type: text/plain\\n\\nall of it"'),
  'cgi/location': script('printf "Location: /cgi-bin/echo\\n\\n"'),
  'cgi/to-error-stream': script('echo told >/dev/stderr; printf "Content-Type: text/plain\\n\\nok"'),
}

const CONFIG = `
ScriptAlias /cgi-bin/ "@ROOT@/cgi/"
<Directory "@ROOT@/cgi">
Require all granted
</Directory>
<Location "/cgi-bin/silent">
CGIDScriptTimeout 1
</Location>
<Location "/cgi-bin/kept">
CGIDScriptTimeout 1
</Location>
<Location "/status">
SetHandler server-status
Require all granted
</Location>
`

async function scripts(t: Test, lines = ''): ReturnType<typeof site> {
  const server = await site({ modules: [authzCore, alias, env, status, headers, cgid], files: SCRIPTS, config: CONFIG + lines })
  t.teardown(() => server.close())
  return server
}

async function until(condition: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const limit = Date.now() + LIMIT; Date.now() < limit; await pause(20)) if (await condition()) return true
  return false
}

/** Whether the script has run, and its process has ended. */
function hasEnded(root: string, name: string): boolean {
  try {
    const pid = readFileSync(`${root}/cgi/${name}.pid`, 'latin1').trim()
    if (pid === '') return false
    try {
      return /^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    } catch {
      return true
    }
  } catch {
    return false
  }
}

t.test('a request body reaches the script, and its output the client', async (t) => {
  const server = await scripts(t)
  const body = 'b'.repeat(300_000)
  const headers = { 'Content-Length': String(body.length) }
  const response = await server.inject({ method: 'POST', target: '/cgi-bin/echo', headers, body })
  t.equal(response.status, 200)
  t.ok(response.body === body)
})

t.test('a local Location is a GET of that path, without the body', async (t) => {
  const server = await scripts(t)
  const headers = { 'Content-Length': '4' }
  t.match(await server.inject({ method: 'POST', target: '/cgi-bin/location', headers, body: 'body' }), {
    status: 200,
    body: '',
  })
})

t.test('a script that ends without reading its body loses nothing of its output', async (t) => {
  const server = await scripts(t)
  const headers = { 'Content-Length': '4' }
  const ask = () => server.inject({ method: 'POST', target: '/cgi-bin/unread', headers, body: 'body' })
  for (let round = 0; round < 6; round++) {
    const responses = await Promise.all(Array.from({ length: 10 }, ask))
    t.ok(responses.every(({ status, body }) => status === 200 && body === 'all of it'))
  }
})

t.test('bad output is a 500, at once, and nothing of the script is left', async (t) => {
  const server = await scripts(t)
  const messages: Readonly<Record<string, string>> = {
    'endless-junk': "malformed header from script 'endless-junk': Bad header: junk without a colon",
    'endless-line': 'End of script output before headers: endless-line',
    'endless-head': "script 'endless-head' writes a head of more than 1 MiB",
    cut: 'Premature end of script headers: cut',
  }
  for (const [name, message] of Object.entries(messages)) {
    t.equal((await server.inject(`/cgi-bin/${name}`)).status, 500, name)
    t.ok(await until(() => server.errors().some((line) => line.includes(message))), message)
    t.ok(await until(() => hasEnded(server.serverRoot, name)), `${name} has ended`)
  }
})

t.test('a silent script is given up after CGIDScriptTimeout', async (t) => {
  const server = await scripts(t)
  t.equal((await server.inject('/cgi-bin/silent')).status, 504)
  t.ok(server.errors().some((line) => line.includes('Script timed out before returning headers: silent')))
  t.ok(await until(() => hasEnded(server.serverRoot, 'silent')))
})

t.test('a child of a script that keeps its output open is ended with the response', async (t) => {
  const server = await scripts(t)
  await server.inject('/cgi-bin/kept').catch(() => undefined)
  t.ok(await until(() => hasEnded(server.serverRoot, 'kept')))
})

t.test('a script ends when its client has gone, and is counted while it runs', async (t) => {
  const server = await scripts(t)
  const port = await server.listen()
  const running = async (): Promise<string> => /Running: \d+/.exec((await server.inject('/status?auto')).body)?.[0] ?? ''
  t.equal(await running(), 'Running: 0')
  const client = httpRequest({ port, host: '127.0.0.1', path: '/cgi-bin/endless' })
  client.on('error', () => undefined)
  const got = new Promise<void>((resolve) => client.on('response', (response) => response.once('data', () => resolve())))
  client.end()
  await got
  t.ok(await until(async () => (await running()) === 'Running: 1'))
  client.destroy()
  t.ok(await until(() => hasEnded(server.serverRoot, 'endless')))
  t.ok(await until(async () => (await running()) === 'Running: 0'))
})

t.test('a hundred clients that leave at once leave no script behind', async (t) => {
  const server = await scripts(t)
  const port = await server.listen()
  const clients = Array.from({ length: 100 }, () => httpRequest({ port, host: '127.0.0.1', path: '/cgi-bin/endless' }))
  const started = clients.map(
    (client) =>
      new Promise<void>((resolve) => {
        client.on('error', () => resolve())
        client.on('response', () => resolve())
        client.end()
      }),
  )
  await Promise.all(started.slice(0, 20))
  for (const client of clients) client.destroy()
  const running = async (): Promise<boolean> => (await server.inject('/status?auto')).body.includes('Running: 0')
  t.ok(await until(running))
  t.equal((await server.inject('/cgi-bin/echo')).status, 200)
})

t.test('a script may open /dev/stderr', async (t) => {
  const server = await scripts(t)
  t.match(await server.inject('/cgi-bin/to-error-stream'), { status: 200, body: 'ok' })
})

t.test('mod_cgi logs each line that a script writes to its standard error, with the client', async (t) => {
  const files = { 'cgi/x': script('echo one >&2; printf "two\\nthree" >&2; printf "Content-Type: text/plain\\n\\nok"') }
  const config = 'ScriptAlias /cgi-bin/ "@ROOT@/cgi/"\n<Directory "@ROOT@/cgi">\nRequire all granted\n</Directory>'
  const server = await site({ modules: [authzCore, alias, cgi], files, config })
  t.teardown(() => server.close())
  t.match(await server.inject('/cgi-bin/x'), { status: 200, body: 'ok' })
  for (const word of ['one', 'two', 'three']) {
    const line = `AH01215: stderr from ${server.serverRoot}/cgi/x: ${word}`
    t.ok(await until(() => server.errors().some((each) => each.includes('[client ') && each.endsWith(line))), line)
  }
})

t.test('ScriptLog has the line that ended the output, also one without an end and one that is too long', async (t) => {
  const server = await scripts(t, 'ScriptLog "@ROOT@/script.log"\nHeader set X-In yes early\n')
  await server.inject('/cgi-bin/cut')
  await server.inject('/cgi-bin/endless-line')
  const entries = readFileSync(`${server.serverRoot}/script.log`, 'latin1')
    .split(/^%% (?=\[)/m)
    .slice(1)
  t.match(entries[0], /^\[\w{3} \w{3} \d\d \d\d:\d\d:\d\d \d{4}\] GET \/cgi-bin\/cut HTTP\/1\.1\n/)
  t.match(entries[0], /\n%response\nX-A\n$/)
  t.match(entries[1], /\n%response\nx{8190}\n%stdout\nx+\n$/)
})
