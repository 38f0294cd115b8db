import { busyLoop, longWork, type SiteOptions, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import dir from '../src/index.ts'

async function serve(t: Test, lines: string, more: Partial<SiteOptions> = {}): Promise<TestServer> {
  const server = await site({
    ...more,
    modules: [authzCore, dir],
    config: `<Directory "@ROOT@/docs">\nRequire all granted\n<Files "closed*">\nRequire all denied\n</Files>\n</Directory>\n<Directory "@ROOT@/docs/d">\n${lines}\n</Directory>\n${more.config ?? ''}`,
    files: { 'docs/plain.txt': 'plain', 'docs/d/found.html': 'found', 'docs/d/closed.html': 'secret' },
  })
  t.teardown(() => server.close())
  return server
}

const MISSING = Array.from({ length: 300 }, (_, n) => `DirectoryIndex none${n}.html`).join('\n')

interface Row {
  readonly name: string
  readonly lines: string
  readonly status: number
}

const ROWS: readonly Row[] = [
  { name: 'none of many names exists', lines: MISSING, status: 404 },
  { name: 'the last of many names exists', lines: `${MISSING}\nDirectoryIndex found.html`, status: 200 },
  {
    name: 'the last of many names redirects',
    lines: `${MISSING}\nDirectoryIndex found.html\nDirectoryIndexRedirect On`,
    status: 302,
  },
  { name: 'one before many missing names is forbidden', lines: `DirectoryIndex closed.html\n${MISSING}`, status: 403 },
]

for (const { name, lines, status } of ROWS) {
  t.test(`${name}: other requests are served meanwhile, and the answer is the same`, async (t) => {
    const { expected, served, answer } = await longWork((more) => serve(t, lines, more), '/d/', '/plain.txt')
    t.equal(expected.status, status)
    t.ok(served.length >= 5, `${served.length} others were served in between`)
    t.ok(served.every((each) => each === 200))
    t.equal(answer.status, expected.status)
    t.equal(answer.body, expected.body)
    t.equal(answer.header('Location'), expected.header('Location'))
  })
}

t.test('a request that takes more than LimitComputingTime is a 500, and the log names the last line of names', async (t) => {
  const server = await serve(t, `${MISSING}\nDirectoryIndex found.html`, {
    loopClock: busyLoop(),
    config: 'LimitComputingTime 0.1',
  })
  t.equal((await server.inject('/d/')).status, 500)
  t.match(
    server.errors().filter((line) => line.includes('LimitComputingTime')),
    [/\[core:error\] .*\/conf\/httpd\.conf:\d+: DirectoryIndex: the request was ended after 0\.1 s of computing/],
  )
  t.match(await server.inject('/plain.txt'), { status: 200, body: 'plain' })
})
