import { configError, rawExchange, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import substitute from '../src/index.ts'

const modules = [authzCore, substitute]

async function substituted(t: Test, lines: string, text: string) {
  const config = `<Location />\nSetOutputFilter SUBSTITUTE\n${lines}\n</Location>`
  const server = await site({ modules, config, files: { 'docs/f.txt': text } })
  t.teardown(() => server.close())
  return { server, answer: await server.inject('/f.txt') }
}

t.test('texts are replaced line by line, in order, and the length is that of the result', async (t) => {
  const lines = 'Substitute "s/(a+)(b*)/[$2$1]/"\nSubstitute s/]/>/n\nSubstitute "s|x$|\\\\$1|i"'
  const { answer } = await substituted(t, lines, 'aab\nx\nX')
  t.equal(answer.body, '[baa>\nx\n$1')
  t.equal(answer.header('Content-Length'), String(answer.body.length))
  t.equal(answer.header('ETag'), undefined)
  t.ok(answer.header('Last-Modified'))
})

t.test('text replaced with the flag q stays apart from the text around it', async (t) => {
  t.equal((await substituted(t, 'Substitute s/b/c/q\nSubstitute s/ac/X/', 'ab\n')).answer.body, 'ac\n')
  t.equal((await substituted(t, 'Substitute s/b/c/\nSubstitute s/ac/X/', 'ab\n')).answer.body, 'X\n')
})

t.test('a line that is too long, or becomes too long, is answered with 500', async (t) => {
  for (const [lines, text] of [
    ['Substitute s/a/b/\nSubstituteMaxLineLength 10', 'xxxxxxxxxx\n'],
    ['Substitute s/a/bbbbb/\nSubstituteMaxLineLength 10', 'aaa\n'],
    ['Substitute s/x*/-/', 'a\n'],
  ]) {
    const { server, answer } = await substituted(t, lines, text)
    t.equal(answer.status, 500)
    t.match(server.errors().join(''), /AH01328: Line too long, URI \/f\.txt/)
  }
  t.equal((await substituted(t, 'Substitute s/a/b/\nSubstituteMaxLineLength 10', 'xxxxxxxxa\n')).answer.body, 'xxxxxxxxb\n')
})

t.test('the substitutions of an inner section come first, unless SubstituteInheritBefore is on', async (t) => {
  const inner = (more: string) => `Substitute s/a/b/\n<Files f.txt>\nSubstitute s/b/c/\n${more}</Files>`
  const config = (more: string) =>
    `SetOutputFilter SUBSTITUTE\n${inner(more).replace('<Files', '<Location /f.txt>\n#').replace('</Files>', '</Location>')}`
  for (const [more, body] of [
    ['', 'b c'],
    ['SubstituteInheritBefore on\n', 'c c'],
  ]) {
    const server = await site({ modules, config: config(more), files: { 'docs/f.txt': 'a b' } })
    t.teardown(() => server.close())
    t.equal((await server.inject('/f.txt')).body, body)
  }
})

t.test('a large body is rewritten while it is sent', async (t) => {
  const line = `${'x'.repeat(40)}needle\n`
  const config = 'SetOutputFilter SUBSTITUTE\nSubstitute s/needle/thread/'
  const server = await site({ modules, config, files: { 'docs/f.txt': line.repeat(60_000) } })
  t.teardown(() => server.close())
  const port = await server.listen()
  const response = await rawExchange(port, 'GET /f.txt HTTP/1.0\r\n\r\n')
  const body = response.slice(response.indexOf('\r\n\r\n') + 4)
  t.equal(body, line.replace('needle', 'thread').repeat(60_000))
})

t.test('wrong substitutions are refused with the messages of httpd', async (t) => {
  const refusal = (line: string) => configError({ modules, config: line })
  t.equal(await refusal('Substitute foo'), 'Bad Substitute format, must be an s/// pattern')
  t.equal(await refusal('Substitute s/a'), 'Bad Substitute format, must be a complete s/// pattern')
  t.equal(await refusal('Substitute s/a/b/x'), 'Bad Substitute flag, only s///[infq] are supported')
  t.equal(await refusal('Substitute "s/(/b/"'), 'Substitute could not compile regex')
  t.match(await refusal('SubstituteMaxLineLength 1x'), /must be a non-negative integer optionally suffixed/)
})
