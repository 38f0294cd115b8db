import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readIdentity } from '@gatewright/module-kit'
import t from 'tap'

const API = "import { defineModule } from '@gatewright/api'\n"

t.test('name, source and API package are read from the text of the one defineModule call', (t) => {
  const entry = write(t.testdir(), 'index.ts', `${API}export default defineModule({ name: 'a_module', source: 'mod_a.c' })`)
  t.strictSame(readIdentity(entry), { module: 'a_module', source: 'mod_a.c', specifier: '@gatewright/api' })
  t.end()
})

t.test('the call is found in a file that the entry imports, under another local name, with names that are constants', (t) => {
  const folder = t.testdir()
  const entry = write(folder, 'index.ts', "export { greeting as default } from './greeting.ts'\n")
  write(
    folder,
    'greeting.ts',
    `import { OK, defineModule as define } from '@gatewright/api-2.2'
     const NAME = 'greeting_module'
     const SOURCE: string = \`mod_greeting.c\`
     export const greeting = define<{ text: string }>({ name: NAME, source: SOURCE, createDirConfig: () => ({ text: '' }) })`,
  )
  t.strictSame(readIdentity(entry), { module: 'greeting_module', source: 'mod_greeting.c', specifier: '@gatewright/api-2.2' })
  t.end()
})

t.test('a module is never executed to be read', (t) => {
  const text = `${API}process.exit(3)\nexport default defineModule({ name: 'a_module', source: 'mod_a.c' })`
  t.equal(readIdentity(write(t.testdir(), 'index.ts', text)).module, 'a_module')
  t.end()
})

t.test('a file beside the entry that it does not import is ignored', (t) => {
  const folder = t.testdir()
  write(folder, 'other.ts', `${API}export default defineModule({ name: 'b_module', source: 'mod_b.c' })`)
  const entry = write(folder, 'index.ts', `${API}export default defineModule({ name: 'a_module', source: 'mod_a.c' })`)
  t.equal(readIdentity(entry).module, 'a_module')
  t.end()
})

t.test('an error names the unreadable file and the reason', (t) => {
  const folder = t.testdir()
  const none = write(folder, 'none.ts', 'export default {}')
  t.throws(() => readIdentity(none), { message: /none\.ts: no defineModule/ })
  const foreign = write(
    folder,
    'foreign.ts',
    "const defineModule = (x: object) => x\nexport default defineModule({ name: 'a', source: 'b' })",
  )
  t.throws(() => readIdentity(foreign), { message: /foreign\.ts: no defineModule/ })
  const two = write(
    folder,
    'two.ts',
    `${API}defineModule({ name: 'a_module', source: 'mod_a.c' })\ndefineModule({ name: 'b_module', source: 'mod_b.c' })`,
  )
  t.throws(() => readIdentity(two), { message: /a_module and b_module/ })
  const computed = write(folder, 'computed.ts', `${API}defineModule({ name: 'a_module', source: ['mod_a', 'c'].join('.') })`)
  t.throws(() => readIdentity(computed), { message: /computed\.ts: defineModule needs 'source' as a string literal/ })
  const variable = write(folder, 'variable.ts', `${API}const it = { name: 'a_module' }\ndefineModule(it)`)
  t.throws(() => readIdentity(variable), { message: /variable\.ts: defineModule takes an object literal/ })
  t.end()
})

function write(folder: string, name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}
