import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { site } from '@gatewright/testing'
import module from '../src/index.ts'

/** A server that loads the installed authorization module, as any server has to, and the lines that README.md recommends. */
const CONFIG = `LoadModule authz_core_module modules/mod_authz_core.mjs
${readFileSync(new URL('../hello.conf', import.meta.url), 'utf8')}`

test('the handler answers with its own page', async (t) => {
  const server = await site({ modules: [module], config: CONFIG })
  t.after(() => server.close())
  const response = await server.inject('/hello')
  assert.equal(response.status, 200)
  assert.equal(response.header('Content-Type'), 'text/plain')
  assert.equal(response.body, 'The sample page of mod_hello\n')
})

test('a section answers with the text of its own HelloText line', async (t) => {
  const config = `${CONFIG}
    <Location "/hello/you">
      HelloText "good morning"
    </Location>`
  const server = await site({ modules: [module], config })
  t.after(() => server.close())
  assert.equal((await server.inject('/hello/you')).body, 'good morning\n')
  assert.equal((await server.inject('/hello')).body, 'The sample page of mod_hello\n')
})

test('what is not for the handler is left to others', async (t) => {
  const server = await site({ modules: [module], config: CONFIG, files: { 'docs/index.txt': 'a file\n' } })
  t.after(() => server.close())
  assert.equal((await server.inject('/index.txt')).body, 'a file\n')
})
