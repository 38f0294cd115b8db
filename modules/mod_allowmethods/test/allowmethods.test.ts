import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import allowmethods from '../src/index.ts'

type TestServer = Awaited<ReturnType<typeof site>>

async function serve(t: Test, ...lines: readonly string[]): Promise<TestServer> {
  const server = await site({
    modules: [authzCore, allowmethods],
    config: `<Location />\n${lines.join('\n')}\n</Location>`,
    files: { 'docs/f.txt': 'text', 'docs/open/f.txt': 'text' },
  })
  t.teardown(() => server.close())
  return server
}

const status = async (server: TestServer, method: string, target = '/f.txt'): Promise<number> =>
  (await server.inject({ method, target })).status

t.test('methods that are not listed are answered with 405 and logged', async (t) => {
  const server = await serve(t, 'AllowMethods GET')
  t.equal(await status(server, 'GET'), 200)
  t.equal(await status(server, 'HEAD'), 200)
  for (const method of ['POST', 'OPTIONS', 'PUT', 'UNHEARD']) t.equal(await status(server, method), 405, method)
  t.match(
    server.errors()[0],
    /\[allowmethods:error\] .*AH01623: client method denied by server configuration: 'POST' to .*\/docs\/f\.txt$/,
  )
})

t.test('the request is refused before authentication', async (t) => {
  const server = await serve(t, 'AllowMethods GET', 'Require all denied')
  t.equal(await status(server, 'GET'), 403)
  t.equal(await status(server, 'POST'), 405)
})

t.test('lines are combined, an inner section replaces them, and reset allows all', async (t) => {
  const server = await serve(
    t,
    'AllowMethods GET',
    'AllowMethods POST',
    '</Location>',
    '<Location /open>',
    'AllowMethods reset',
    '</Location>',
    '<Location /open/f.txt?>',
  )
  t.equal(await status(server, 'POST'), 200)
  t.equal(await status(server, 'OPTIONS'), 405)
  t.equal(await status(server, 'OPTIONS', '/open/f.txt'), 200)
})

t.test('mistakes of the configuration are reported', async (t) => {
  for (const [line, message] of [
    ['AllowMethods', /AllowMethods: No method or 'reset' keyword given/],
    ['AllowMethods get', /AllowMethods: Invalid Method 'get'/],
    ['AllowMethods GET reset', /AllowMethods: Invalid Method 'reset'/],
  ] as const) {
    await t.rejects(serve(t, line), { message }, line)
  }
})
