import { createServer } from '@gatewright/core'
import { serverRoot } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { programKindOfFile } from '../src/model/program-kinds.ts'
import { programKindOfLine } from '../src/model/program-lines.ts'

async function hintsOf(t: Test, lines: string, files: Record<string, string> = {}): Promise<readonly string[]> {
  const { root, remove } = serverRoot(files)
  t.teardown(remove)
  const server = await createServer({ config: `DocumentRoot "${root}/docs"\n${lines}`, serverRoot: root })
  t.teardown(() => server.close())
  return server.configuration.hints().map((hint) => hint.replaceAll(root, 'ROOT'))
}

t.test('a program among the documents is named when no module that runs it is loaded', async (t) => {
  t.strictSame(await hintsOf(t, '', { 'docs/index.html': 'x', 'docs/blog/wp-config.php': 'x', 'docs/blog/x.php': 'x' }), [
    'ROOT/docs/blog/wp-config.php: no module that runs programs of this kind (PHP) is loaded (mod_php, mod_proxy_fcgi, mod_fcgid): their text is sent to every client that may fetch them',
  ])
  t.strictSame(await hintsOf(t, '', { 'docs/index.html': 'x', 'docs/a.txt': 'x', 'docs/php': 'x' }), [])
})

t.test('a line that makes programs of files is named with its place', async (t) => {
  const [hint, ...others] = await hintsOf(t, '<Directory "/x">\nSetHandler cgi-script\n</Directory>\nSetHandler cgi-script', {
    'docs/index.html': 'x',
  })
  t.match(
    hint,
    /^ROOT\/conf\/httpd\.conf:\d+: SetHandler cgi-script, and 1 more such line: no module that runs .*\(CGI\) is loaded \(mod_cgi, /,
  )
  t.strictSame(others, [])
})

t.test('programs are known by their extension, before a language as well', (t) => {
  t.equal(programKindOfFile('index.php')?.name, 'PHP')
  t.equal(programKindOfFile('INDEX.PHP.en')?.name, 'PHP')
  t.equal(programKindOfFile('x.cgi')?.name, 'CGI')
  for (const name of ['php', 'a.php.bak', 'a.phps', 'a.html', 'pl', '.pl.html', 'index.html.pl'])
    t.equal(programKindOfFile(name), undefined, name)
  t.end()
})

t.test('handlers of programs are known, others are not', (t) => {
  for (const [name, words] of [
    ['SetHandler', 'application/x-httpd-php'],
    ['AddHandler', 'application/x-httpd-php82 .php'],
    ['AddType', '"application/x-httpd-php" .php'],
    ['AddHandler', 'php5-script .php'],
    ['addhandler', 'cgi-script .cgi'],
    ['ScriptAlias', '/cgi-bin/ /usr/lib/cgi-bin/'],
  ])
    t.not(programKindOfLine(name, words), undefined, `${name} ${words}`)
  for (const [name, words] of [
    ['SetHandler', 'server-status'],
    ['AddType', 'application/x-httpd-php-source .phps'],
    ['AddType', 'text/html .php'],
    ['Alias', '/cgi-bin/ /usr/lib/cgi-bin/'],
  ])
    t.equal(programKindOfLine(name, words), undefined, `${name} ${words}`)
  t.end()
})
