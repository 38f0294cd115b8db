import { configError, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import reflector from '../../mod_reflector/src/index.ts'
import extFilter from '../src/index.ts'

const modules = [authzCore, extFilter, reflector]

async function filtered(t: Test, lines: string, text = 'some text\n'): ReturnType<Awaited<ReturnType<typeof site>>['inject']> {
  const config = `${lines}\n<Location />\nSetOutputFilter f\nForceType text/plain\n</Location>\n`
  const server = await site({ modules, config, files: { 'docs/f.txt': text } })
  t.teardown(() => server.close())
  return server.inject('/f.txt')
}

t.test('a response passes through a program', async (t) => {
  const { status, body, header } = await filtered(t, 'ExtFilterDefine f cmd="/usr/bin/tr a-z A-Z"')
  t.equal(status, 200)
  t.equal(body, 'SOME TEXT\n')
  t.equal(header('Content-Length'), '10')
})

t.test('a long response passes through a program piece by piece', async (t) => {
  const { body } = await filtered(t, 'ExtFilterDefine f cmd="/usr/bin/tr a-z A-Z"', 'abcdefghi\n'.repeat(200_000))
  t.equal(body, 'ABCDEFGHI\n'.repeat(200_000))
})

t.test('arguments may be quoted', async (t) => {
  t.equal((await filtered(t, `ExtFilterDefine f cmd="/bin/sh -c 'cat; echo end of it'"`)).body, 'some text\nend of it\n')
})

t.test('a program that does not read its input is no error', async (t) => {
  const { status, body } = await filtered(t, 'ExtFilterDefine f cmd="/bin/echo own"', 'x'.repeat(1_000_000))
  t.equal(status, 200)
  t.equal(body, 'own\n')
})

t.test('types and variables decide whether a filter applies', async (t) => {
  t.equal((await filtered(t, 'ExtFilterDefine f intype=text/html cmd="/usr/bin/tr a-z A-Z"')).body, 'some text\n')
  t.equal((await filtered(t, 'ExtFilterDefine f enableenv=none cmd="/usr/bin/tr a-z A-Z"')).body, 'some text\n')
  const changed = await filtered(t, 'ExtFilterDefine f disableenv=none outtype=text/made cmd="/usr/bin/tr a-z A-Z"')
  t.equal(changed.body, 'SOME TEXT\n')
  t.equal(changed.header('Content-Type'), 'text/made')
})

t.test('a program that cannot be started is a 500, or leaves the response as it is', async (t) => {
  t.equal((await filtered(t, 'ExtFilterDefine f cmd=/no/such/program')).status, 500)
  const removed = 'ExtFilterDefine f cmd=/no/such/program\n<Directory />\nExtFilterOptions Onfail=remove\n</Directory>'
  t.equal((await filtered(t, removed)).body, 'some text\n')
})

/** httpd's messages. */
const WRONG: readonly (readonly [line: string, message: string])[] = [
  ['ExtFilterDefine x mode=both cmd=/bin/cat', "Invalid mode: `both'"],
  ['ExtFilterDefine x cmd="/bin/cat', 'Expected cmd= delimiter'],
  ['ExtFilterDefine x nosuch', "Unexpected parameter: `nosuch'"],
  ['ExtFilterDefine x nosuch=1', "Unexpected parameter: `nosuch=1'"],
  ['ExtFilterDefine x PreservesContentLength=1', "mangled argument `PreservesContentLength=1'"],
  ['<Directory />\nExtFilterOptions Nosuch\n</Directory>', 'Invalid ExtFilterOptions option: Nosuch'],
]

t.test('mistakes in directives are errors of the configuration', async (t) => {
  for (const [line, message] of WRONG) t.equal(await configError({ modules, config: line }), message, line)
})
