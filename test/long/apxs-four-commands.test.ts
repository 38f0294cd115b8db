import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_VERSION } from '@gatewright/api'
import t from 'tap'
import { freePort } from '../fixtures/free-port.ts'
import { InstalledServer } from '../fixtures/installed-server.ts'
import { gone } from '../fixtures/processes.ts'

t.test('from an empty folder to an answer: apxs -g, npm test, apxs -c -i -a, httpd', async (t) => {
  const server = new InstalledServer(t)
  const home = server.makeFolder('empty folder')
  const port = await freePort()
  t.teardown(() => stop(server))

  const made = await server.run('apxs', ['-g', '-n', 'hello'], { cwd: home })
  t.strictSame([made.status, made.stdout], [0, []])
  t.equal(made.stderr[0], 'Creating [DIR]  hello')
  t.ok(made.stderr.includes('Creating [FILE] hello/src/index.ts'))
  const cwd = join(home, 'hello')
  const tested = await server.run('npm', ['test'], { cwd })
  t.equal(tested.status, 0, tested.stdout.join('\n'))
  t.ok(tested.stdout.some((line) => /^. pass [1-9]/.test(line)))
  t.ok(tested.stdout.includes('ℹ fail 0'))

  const installed = await server.run('apxs', ['-c', '-i', '-a'], { cwd })
  t.strictSame(installed.stderr, [
    `checking src/index.ts against module API ${API_VERSION}`,
    'building mod_hello.mjs',
    `installing ${server.path('modules/mod_hello.mjs')}`,
    `mod_hello.mjs: hello_module, built against API ${API_VERSION}; this server provides ${API_VERSION} and loads it`,
    `[activating module \`hello' in ${server.path('conf/httpd.conf')}]`,
  ])
  t.equal(installed.status, 0)
  t.match(readFileSync(server.path('conf/httpd.conf'), 'utf8'), '\nLoadModule hello_module       modules/mod_hello.mjs\n')
  t.notMatch(readFileSync(server.path('conf/httpd.conf.bak'), 'utf8'), 'mod_hello')

  const started = await server.run('httpd', ['-C', `Define GATEWRIGHT_PORT ${port}`, '-c', `Include '${cwd}/hello.conf'`], {
    cwd,
  })
  t.strictSame([started.status, started.stderr], [0, []])
  const answer = await fetch(`http://127.0.0.1:${port}/hello`)
  t.strictSame([answer.status, await answer.text()], [200, 'The sample page of mod_hello\n'])
})

/** Ends the server, if one runs. */
async function stop(server: InstalledServer): Promise<void> {
  const file = server.path('logs/httpd.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'latin1'))
  await server.run('httpd', ['-k', 'stop'])
  await gone([pid])
}
