import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_VERSION } from '@gatewright/api'
import { asciiJson } from '@gatewright/api/text'
import t from 'tap'
import { directiveIndex, directiveReference } from '../build/site/directive-pages.ts'
import { searchScript } from '../build/site/search-data.ts'

const BIN = join(import.meta.dirname, '../dist/bin')
/** Colours, a title, a line end, a character of C1, one that reverses the direction of text, one without width, HTML. */
const HOSTILE = '\u001b[31m\u001b]0;x\u0007\r\n\u007f\u009b2J\u202egpj\u200b\u2028<script>alert(1)</script>"&'
/** Nothing of this may be in what a person sees in a terminal. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

const folder = t.testdir()
const configuration = join(folder, 'httpd.conf')
mkdirSync(join(folder, 'logs'))
writeFileSync(
  configuration,
  `LoadModule evil_module ${folder}/mod_evil.mjs\nServerName localhost\nDocumentRoot ${folder}\n<IfModule !authz_core_module>\nLoadModule authz_core_module ${BIN}/../modules/mod_authz_core.mjs\n</IfModule>\n`,
)

/** Writes a module that passes the gate, with a hostile stamp and hostile texts of its own. */
function writeModule(directive: string, row: object): void {
  const module = { name: 'evil_module', source: 'mod_evil.c', capabilities: [HOSTILE, 'fs'] }
  const whole = { kind: 'raw', scope: 'server', context: ['server'], ...row }
  const code = `const module = ${asciiJson(module)}
module[Symbol.for('gatewright.module')] = true
module.directives = { [${asciiJson([directive])}[0]]: { ...${asciiJson(whole)}, setServer: () => ${asciiJson([HOSTILE])}[0] } }
export default module
`
  const stamp = {
    cookie: 'AP24',
    api: API_VERSION,
    magic: 20120211,
    module: module.name,
    source: module.source,
    digest: createHash('sha256').update(code).digest('hex'),
    contents: { directives: [HOSTILE], hooks: [HOSTILE], providers: [HOSTILE], more: [HOSTILE] },
    capabilities: [HOSTILE, 'fs'],
  }
  writeFileSync(join(folder, 'mod_evil.mjs'), `//! gatewright-module ${asciiJson(stamp)}\n${code}`)
}

function shown(...options: readonly string[]): string {
  const { stdout, stderr } = spawnSync(join(BIN, 'httpd'), ['-d', folder, '-f', configuration, ...options], { encoding: 'utf8' })
  return `${stdout}${stderr}`
}

/** Tabs and line ends are the program's own. */
function linesOf(text: string): readonly string[] {
  return text.split(/\n\t?/)
}

t.test('hostile texts of a module do not reach a terminal', async (t) => {
  writeModule('Evil', { help: HOSTILE })
  for (const options of [
    ['-t', '-D', 'DUMP_CAPABILITIES'],
    ['-t', '-D', 'DUMP_HOOKS'],
    ['-M'],
    ['-L'],
    ['-L', '--json'],
    ['-t', '-c', 'Evil on'],
  ]) {
    const text = shown(...options)
    t.match(text, options.includes('-c') ? /syntax error/i : /Evil|evil_module|Hooks:/, options.join(' '))
    for (const line of linesOf(text)) t.notMatch(line, CONTROL, options.join(' '))
  }
  t.match(shown('-t', '-D', 'DUMP_CAPABILITIES'), /^ evil_module fs$/m)
  const listed: readonly { readonly name: string; readonly help: string }[] = JSON.parse(shown('-L', '--json'))
  t.equal(listed.find(({ name }) => name === 'Evil')?.help, HOSTILE, 'programs get the text itself')
  const told = execFileSync(join(BIN, 'gatewright'), ['module', join(folder, 'mod_evil.mjs')], { encoding: 'utf8' })
  for (const line of linesOf(told)) t.notMatch(line, CONTROL)
})

t.test('a directive whose name is no name is refused, and the message shows it harmlessly', async (t) => {
  writeModule(`Evil${HOSTILE}`, {})
  const text = shown('-t')
  t.match(text, /evil_module declares a directive 'Evil\?\[31m.*: a name begins with a letter/)
  for (const line of linesOf(text)) t.notMatch(line, CONTROL)
})

t.test('hostile texts of a module are text in the site', async (t) => {
  const directive = {
    name: `Evil${HOSTILE}`,
    module: 'evil_module',
    source: 'mod_evil.c',
    context: [HOSTILE],
    override: [HOSTILE],
    help: HOSTILE,
    hasEffect: true,
    folder: 'core',
    manual: null,
  }
  const pages = [directiveIndex([directive]).html, directiveReference([directive], 'modules/core.html').html]
  for (const html of pages) {
    t.ok(html.includes('&lt;script&gt;'))
    t.notOk(html.includes('<script>alert'))
  }
  const script = searchScript([{ title: HOSTILE, kind: 'Directive', url: HOSTILE, about: HOSTILE, text: HOSTILE }])
  t.notOk(script.includes('</script'), 'the index may be inlined')
})

t.test('code in the line of the stamp, after a character that ends a comment, is never executed', async (t) => {
  writeModule('Evil', {})
  const file = join(folder, 'mod_evil.mjs')
  const [stamp, ...rest] = readFileSync(file, 'utf8').split('\n')
  for (const end of ['\u2028', '\u2029']) {
    const code = `${end}console.log('executed')//`
    writeFileSync(file, [stamp.replace('{"cookie"', `{"x":${JSON.stringify(code)},"cookie"`), ...rest].join('\n'))
    const text = shown('-t')
    t.match(text, /its first line is not a stamp/)
    t.notMatch(text, /^executed$/m)
  }
})
