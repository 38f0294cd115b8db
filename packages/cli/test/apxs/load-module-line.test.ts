import { parseDocument, printDocument } from '@gatewright/config'
import t from 'tap'
import { type LineState, withLoadModule } from '../../src/apxs/load-module-line.ts'

const HELLO = { identifier: 'hello_module', path: 'modules/mod_hello.mjs' }
const LINE = 'LoadModule hello_module       modules/mod_hello.mjs\n'

function edited(text: string, state: LineState = 'active'): string | undefined {
  const document = withLoadModule(parseDocument(text), HELLO, state)
  return document === undefined ? undefined : printDocument(document)
}

t.test('a new line is inserted after the last LoadModule line, and all other bytes are kept', (t) => {
  const before = '# one\r\nLoadModule a_module  "modules/a b.mjs"\nListen 80\nloadmodule b_module \\\n  modules/b.mjs\n'
  const after = '\n  <Directory />\n\tRequire all granted # \xe9\n</Directory>'
  t.equal(edited(before + after), before + LINE + after)
  t.equal(edited(before + after, 'commented'), `${before}#${LINE}${after}`)
  t.end()
})

t.test('a commented LoadModule line counts as the last one, whatever blanks are in it', (t) => {
  const before = 'LoadModule a_module modules/a.mjs\nListen 80\n #  LoadModule b_module modules/b.mjs\n'
  t.equal(edited(`${before}User www\n`), `${before}${LINE}User www\n`)
  t.equal(edited('#LoadModule b_module x\n'), `#LoadModule b_module x\n${LINE}`)
  t.end()
})

t.test('without any LoadModule line there is no place for one', (t) => {
  t.equal(edited('Listen 80\n# a LoadModule line would stand here\n<IfModule x>\n</IfModule>\n'), undefined)
  t.equal(edited(''), undefined)
  t.end()
})

t.test('if the last line is in sections, the new one is inserted after the outermost section', (t) => {
  const sections = '<IfDefine X>\n<IfModule !b_module>\n  LoadModule b_module modules/b.mjs\n</IfModule>\n</IfDefine>\n'
  t.equal(edited(`${sections}Listen 80\n`), `${sections}${LINE}Listen 80\n`)
  t.end()
})

t.test('the line of the same module is replaced in place, which disables and enables it', (t) => {
  const around = (line: string): string => `LoadModule a_module modules/a.mjs\n${line}LoadModule b_module modules/b.mjs\n`
  t.equal(edited(around(LINE), 'commented'), around(`#${LINE}`))
  t.equal(edited(around(`#${LINE}`)), around(LINE))
  t.equal(edited(around('# LoadModule   hello_module\tmodules/mod_hello.so\n')), around(LINE))
  t.equal(edited(around(LINE)), around(LINE))
  t.end()
})

t.test('a line of the same module in a section keeps its place and indentation', (t) => {
  const text = (line: string): string => `<IfDefine HELLO>\n  ${line}</IfDefine>\nLoadModule z_module modules/z.mjs\n`
  t.equal(edited(text(`#${LINE}`)), text(LINE))
  t.end()
})

t.test('of several lines for the same module the one in force is replaced', (t) => {
  const text = (line: string): string => `#LoadModule hello_module modules/old.mjs\n${line}`
  t.equal(edited(text('LoadModule hello_module modules/other.mjs\n')), text(LINE))
  t.equal(edited(text(LINE), 'commented'), text(`#${LINE}`))
  t.end()
})

t.test('a module is not confused with another one whose name has the same beginning', (t) => {
  const other = 'LoadModule hello_module_two modules/two.mjs\n'
  t.equal(edited(other), other + LINE)
  t.end()
})

t.test('the line ends of the file are kept', (t) => {
  t.equal(edited('LoadModule a_module x\r\nListen 80\r\n'), `LoadModule a_module x\r\n${LINE.replace('\n', '\r\n')}Listen 80\r\n`)
  t.end()
})
