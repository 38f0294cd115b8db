import { readFileSync } from 'node:fs'
import { site, type TestServer } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import uniqueId from '../../mod_unique_id/src/index.ts'
import logForensic from '../src/index.ts'

t.test('each request has a line before and one after it, with its fields', async (t) => {
  const folder = t.testdir()
  const log = `${folder}/forensic.log`
  const server = await site({ modules: [authzCore, logForensic], config: `ForensicLog "${log}"`, files: { 'docs/f.txt': 'f' } })
  await server.inject({ target: '/f.txt?a|b', headers: { 'X-Bar': 'a|b:%41\t\xe9', Connection: 'close' } })
  await server.close()
  const [first, last, ...rest] = readFileSync(log, 'latin1').split('\n')
  const id = /^\+(\d+:[0-9a-f]+:1)\|/.exec(first)?.[1]
  t.equal(first, `+${id}|GET /f.txt?a%7cb HTTP/1.1|Host:localhost|Connection:close|X-Bar:a%7cb%3a%2541%09%e9`)
  t.equal(last, `-${id}`)
  t.same(rest, [''])
})

t.test('with mod_unique_id, its identifiers are used, and the first line is written at once', async (t) => {
  const log = `${t.testdir()}/forensic.log`
  const server: TestServer = await site({
    modules: [authzCore, uniqueId, logForensic],
    config: `ForensicLog "${log}"\nDocumentRoot "${t.testdirName}"`,
  })
  t.teardown(() => server.close())
  const { body } = await server.inject('/forensic.log')
  t.match(body, /^\+[\w-]{27}\|GET \/forensic\.log HTTP\/1\.1\|/)
})
