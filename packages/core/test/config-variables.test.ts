import { createServer, type FileTree, serverRoot, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { moduleOf, wordsModule } from './support/modules.ts'
import { bare, refusal } from './support/refusal.ts'

const UNDEFINED = (name: string): string => `[core:warn] AH00111: Config variable \${${name}} is not defined`

interface Outcome {
  readonly words: string
  readonly errors: readonly string[]
}

/** The values that the lines of a configuration set with Word, and the reader's warnings. */
async function outcome(config: string, defines: readonly string[] = []): Promise<Outcome> {
  const { root, remove } = serverRoot()
  const server = await createServer({
    config: `ServerName x\nDocumentRoot docs\n${config}`,
    modules: [wordsModule],
    serverRoot: root,
    defines,
  })
  const errors = server.errors().map(bare)
  const words = (await server.inject('/')).header('X-Words') ?? ''
  await server.close()
  remove()
  return { words: words.replaceAll(root, 'ROOT'), errors }
}

process.env.GATEWRIGHT_TEST_VARIABLE = 'from-environment'
process.env.GATEWRIGHT_TEST_BOTH = 'environment'

/** Lines, the words they set, and the names in warnings. */
const EXPANDED: readonly (readonly [string, string, ...string[]])[] = [
  ['Define A x\nWord ${A}', 'x'],
  ['Define A x\nWord "${A} y" \'${A}\'', 'x y x'],
  ['Define A Wo\n${A}rd z', 'z'],
  ['Define A "Word whole"\n${A}', 'whole'],
  ['Define A Location\n<${A} />\nWord in\n</${A}>', 'in'],
  ['Define A "x y"\nWord ${A}', 'x y'],
  ['Define A x\nDefine A y\nWord ${A}', 'y'],
  ['Define A x\nUnDefine A\nWord ${A}', '${A}', 'A'],
  ['UnDefine NEVER_DEFINED\nWord x', 'x'],
  ['Define FOO x\nWord ${foo}', 'x'],
  ['Word ${GATEWRIGHT_TEST_VARIABLE}', 'from-environment'],
  ['Define GATEWRIGHT_TEST_BOTH define\nWord ${GATEWRIGHT_TEST_BOTH}', 'define'],
  ['Define B inner\nDefine A ${B}\nWord ${A}', 'inner'],
  ['Define A ${B}\nDefine B late\nWord ${A}', '${B}', 'B'],
  ['Word ${NEVER}', '${NEVER}', 'NEVER'],
  ['Word a${}b', 'a${}b', ''],
  ['Word ${A:b}', '${A:b}'],
  ['Word ${A', '${A'],
  ['Define A x\nWord ${${A}}', '${${A}}', '${A'],
  ['Define A x\nWord $A $ {A}', '$A $ {A}'],
  ['Define A x\nWord \\${A}', '\\x'],
  ['Define A x\nWord ${A}${A}-${A}', 'xx-x'],
  ['Define A\nWord ${A}', '${A}', 'A'],
  ['# ${NEVER}\nWord x', 'x'],
  ['<VirtualHost 192.0.2.1>\nServerName y\nDefine A inside\n</VirtualHost>\nWord ${A}', 'inside'],
  ['Word ${A}\nDefine A later', '${A}', 'A'],
]

for (const [config, words, ...undefinedNames] of EXPANDED) {
  t.test(`${JSON.stringify(config)} sets ${words}`, async (t) => {
    t.strictSame(await outcome(config), { words, errors: undefinedNames.map(UNDEFINED) })
  })
}

t.test('a name of the command line is defined without a value, whatever it looks like', async (t) => {
  const config = '<IfDefine NAME>\nWord plain\n</IfDefine>\n<IfDefine NAME=val>\nWord literal\n</IfDefine>\nWord ${NAME}'
  t.strictSame(await outcome(config, ['NAME']), { words: 'plain ${NAME}', errors: [UNDEFINED('NAME')] })
  t.strictSame(await outcome(config, ['NAME=val']), { words: 'literal ${NAME}', errors: [UNDEFINED('NAME')] })
})

t.test('a variable may be part of a LoadModule line', async (t) => {
  const { message } = await refusal('Define MN foo\nLoadModule ${MN}_module modules/mod_${MN}.so')
  t.match(message, 'Cannot load modules/mod_foo.so into server: ROOT/modules/mod_foo.so:')
})

/** A condition and whether its body is kept. The probe module is loaded, `dir/file` exists, DEFINED is defined. */
const CONDITIONS: readonly (readonly [string, boolean])[] = [
  ['IfModule probe_module', true],
  ['IfModule mod_probe.c', true],
  ['IfModule core.c', true],
  ['IfModule core_module', true],
  ['IfModule so_module', true],
  ['IfModule mod_so.c', true],
  ['IfModule http_module', true],
  ['IfModule http_core.c', true],
  ['IfModule mpm_event_module', true],
  ['IfModule event.c', true],
  ['IfModule mod_probe', false],
  ['IfModule mod_probe.so', false],
  ['IfModule probe', false],
  ['IfModule PROBE_module', false],
  ['IfModule MOD_PROBE.C', false],
  ['IfModule mod_mpm_event.c', false],
  ['IfModule !probe_module', false],
  ['IfModule !nosuch_module', true],
  ['IfModule ! nosuch_module', true],
  ['IfModule "probe_module"', true],
  ['IfModule probe_module nosuch_module', true],
  ['ifmodule probe_module', true],
  ['IfDefine DEFINED', true],
  ['IfDefine defined', false],
  ['IfDefine !DEFINED', false],
  ['IfDefine !OTHER', true],
  ['IfDefine ! OTHER', true],
  ['IfDefine "DEFINED"', true],
  ['IfFile dir/file', true],
  ['IfFile dir', true],
  ['IfFile dir/none', false],
  ['IfFile !dir/none', true],
  ['IfFile @ROOT@/dir/file', true],
  ['IfDirective Timeout', true],
  ['IfDirective TIMEOUT', true],
  ['IfDirective NoSuch', false],
  ['IfDirective !NoSuch', true],
  ['IfDirective <Directory', true],
  ['IfDirective Directory', false],
  ['IfSection Directory', true],
  ['IfSection directory', true],
  ['IfSection NoSuch', false],
  ['IfSection <Directory', false],
  ['IfSection !NoSuch', true],
]

const probe = moduleOf('probe', () => undefined)

async function conditionSite(t: Test, config: string, files: FileTree = {}): Promise<TestServer> {
  const server = await site({ modules: [wordsModule, probe], config, files: { 'dir/file': '', ...files } })
  t.teardown(() => server.close())
  return server
}

for (const [opening, kept] of CONDITIONS) {
  t.test(`<${opening}> is ${kept ? 'kept' : 'skipped'}`, async (t) => {
    const name = opening.split(' ')[0]
    const body = `<${opening}>\nWord body\n</${name}>`
    const config = `Define DEFINED\n${body}\nWord after`
    const expected = kept ? 'body after' : 'after'
    t.equal((await (await conditionSite(t, config)).inject('/')).header('X-Words'), expected)

    const folder = '<Directory @ROOT@/docs>\nAllowOverride FileInfo\n</Directory>\nDefine DEFINED'
    const inner = opening.replace('@ROOT@', '${ROOT}')
    const server = await conditionSite(t, `Define ROOT @ROOT@\n${folder}`, {
      'docs/.htaccess': `<${inner}>\nWord body\n</${name}>\nWord after`,
      'docs/f': '',
    })
    t.equal((await server.inject('/f')).header('X-Words'), expected, 'in .htaccess as well')
  })
}

t.test('a module that is loaded further down does not count yet', async (t) => {
  // The module named by LoadModule does not exist, so the configuration only loads because the line is never reached.
  const config =
    '<IfModule late_module>\nLoadModule nosuch_module none.so\n</IfModule>\n<IfModule !late_module>\nWord early\n</IfModule>'
  t.equal((await (await conditionSite(t, config)).inject('/')).header('X-Words'), 'early')
})

t.test('a skipped body may hold anything whose sections are balanced', async (t) => {
  const skipped = 'NoSuchThing ${NEVER}\n<NoSuchSection x>\n<Directory>\n</Directory>\nLoadModule\n</NoSuchSection>'
  const server = await conditionSite(t, `<IfModule none.c>\n${skipped}\n</IfModule>\nWord after`)
  t.equal((await server.inject('/')).header('X-Words'), 'after')
  t.strictSame(server.errors(), [])
})

t.test('a condition that holds may be left open at the end of the file', async (t) => {
  const server = await conditionSite(t, '<IfModule core.c>\n<IfModule probe_module>\nWord open')
  t.equal((await server.inject('/')).header('X-Words'), 'open')
})

t.test('what a kept body holds belongs to the section around it', async (t) => {
  const server = await conditionSite(t, '<Location /a>\n<IfModule core.c>\nWord a\n</IfModule>\n</Location>')
  t.equal((await server.inject('/a')).header('X-Words'), 'a')
  t.equal((await server.inject('/b')).header('X-Words'), '')
  const refused = await refusal('<Location />\n<IfModule core.c>\nTimeout 3\n</IfModule>\n</Location>')
  t.equal(refused.message, 'Timeout not allowed in <Location> context', 'not in <IfModule> context')
})
