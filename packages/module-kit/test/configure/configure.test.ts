import t from 'tap'
import { type Configuration, configure } from '../../src/configure/configure.ts'
import type { HttpdLine } from '../../src/configure/line-of-httpd.ts'
import { readNiceFile } from '../../src/configure/read-nice-file.ts'
import { reportLines } from '../../src/configure/report-text.ts'
import { NICE_2_2, NICE_2_4 } from './recorded.ts'

/** Modules of each class: status and auth_basic are few, rewrite and deflate most; greeting has no class. */
const AVAILABLE = ['rewrite', 'status', 'deflate', 'auth_basic', 'greeting', 'authz_core']

function configured(...words: string[]): Configuration {
  return configure({ words, environment: {}, available: AVAILABLE, program: '/src/build/configure', readFile: () => '' })
}

function from(text: string, words: string[] = [], line?: HttpdLine): Configuration {
  const recorded = { nice: readNiceFile(text, 'config.nice'), line }
  return configure({
    words,
    recorded,
    environment: {},
    available: AVAILABLE,
    program: '/src/build/configure',
    readFile: () => '',
  })
}

/** Selections with the resulting shared and static modules. */
const SELECTIONS: readonly (readonly [words: string[], shared: string, compiledIn: string])[] = [
  [[], 'authz_core auth_basic deflate status rewrite greeting', ''],
  [['--enable-modules=few'], 'authz_core auth_basic status', ''],
  [['--enable-modules=none'], '', ''],
  [['--enable-modules=none', '--enable-rewrite', '--enable-auth-basic=static'], 'rewrite', 'auth_basic'],
  [['--enable-modules=none', '--enable-mods-shared=rewrite auth-basic'], 'auth_basic rewrite', ''],
  [['--enable-mods-static=few'], '', 'authz_core auth_basic status'],
  [['--enable-mods-static=reallyall'], '', 'authz_core auth_basic deflate status rewrite greeting'],
  [['--enable-mods-static=status'], 'authz_core auth_basic deflate rewrite greeting', 'status'],
  [['--enable-mods-static=few', '--enable-rewrite'], '', 'authz_core auth_basic status rewrite'],
  [['--enable-mods-static=few', '--enable-mods-shared=most'], 'authz_core auth_basic deflate status rewrite greeting', ''],
  [['--disable-status', '--disable-greeting'], 'authz_core auth_basic deflate rewrite', ''],
  [['--disable-status', '--enable-status=static'], 'authz_core auth_basic deflate rewrite greeting', 'status'],
  [['--enable-status=static', '--disable-status'], 'authz_core auth_basic deflate rewrite greeting', ''],
  [['--enable-mods-shared=few status', '--disable-status'], 'authz_core auth_basic', ''],
]

for (const [words, shared, compiledIn] of SELECTIONS) {
  t.test(`modules are selected by: ${words.join(' ') || 'nothing'}`, (t) => {
    const { status } = configured(...words)
    t.equal(status.shared.join(' '), shared, 'shared, in build order')
    t.equal(status.static.join(' '), compiledIn, 'static')
    t.end()
  })
}

t.test('a module of httpd that is not available is rejected by name, and omitted from a class', (t) => {
  t.throws(() => configured('--enable-ssl', '--enable-mods-shared=proxy'), {
    message:
      'mod_ssl has been requested but can not be built due to prerequisite failures; mod_proxy has been requested but can not be built due to prerequisite failures',
    hint: /--disable-ssl --disable-proxy/,
  })
  t.strictSame(configured('--enable-mods-shared=all', '--enable-ssl', '--disable-ssl').report.leftOut, [])
  t.end()
})

t.test('ineffective and unknown words are accepted and reported, the latter with the nearest option', (t) => {
  const { report } = configured(
    '--with-apr=/usr',
    'CFLAGS=-O2',
    '--enable-pie',
    '--enable-rewrit',
    '--with-prot=80',
    '--enable-zebra',
  )
  t.strictSame(report.withoutMeaning, ['--with-apr=/usr', 'CFLAGS=-O2', '--enable-pie'])
  t.strictSame(report.unknown, [
    { text: '--enable-rewrit', hint: '--enable-rewrite' },
    { text: '--with-prot=80', hint: '--with-port' },
    { text: '--enable-zebra', hint: null },
  ])
  t.end()
})

t.test('what a configure script refuses is refused, with a hint', (t) => {
  t.throws(() => configured('--prefix=opt/gw'), { message: 'expected an absolute directory name for --prefix: opt/gw' })
  t.throws(() => configured('--prefx=/opt/gw'), { message: /unrecognized option/, hint: 'did you mean --prefix?' })
  t.throws(() => configured('--prefix'), { message: 'missing argument to --prefix' })
  t.throws(() => configured('--prefix=/a"b'), { message: /cannot be used/ })
  t.throws(() => configured('i686-pc-linux'), { message: /invalid word/ })
  t.throws(() => configured('--with-port=http'), { message: '--with-port is not a port: http' })
  t.throws(() => configured('--with-port=65536'), { message: '--with-port is not a port: 65536', hint: /1 to 65535/ })
  t.throws(() => configured('--with-program-name=../httpd'), { message: /--with-program-name/ })
  t.throws(() => configured('--with-mpm=nosuch'), { message: 'MPM nosuch is not supported on this platform.' })
  t.throws(() => configured('--with-mpm=worker', '--enable-mpms-shared=prefork event'), {
    message: 'The default MPM (worker) must be included in --enable-mpms-shared.  Use --with-mpm to change the default MPM.',
  })
  t.throws(() => configured('--enable-layout=Nowhere'), {
    message: 'Unable to find layout Nowhere',
    hint: /Apache, GNU, opt, Debian, RedHat/,
  })
  t.end()
})

t.test('a folder may be in the next word, and the last one applies', (t) => {
  const { status } = configured('--prefix', '/a', '--prefix=/b/', '--sysconfdir', '/etc/x')
  t.match(status.folders, { prefix: '/b', bindir: '/b/bin', sysconfdir: '/etc/x' })
  t.end()
})

t.test('config.nice grows: it holds the words of all runs, and variables twice', (t) => {
  const { nice } = from(NICE_2_4, ['--enable-status', '--prefix=/opt/gw2'])
  t.strictSame(nice.variables, [['CFLAGS', '-O1 -g']])
  t.strictSame(nice.words.slice(-4), ['--with-apr=/usr/local/apr', 'CFLAGS=-O1 -g', '--enable-status', '--prefix=/opt/gw2'])
  t.equal(nice.program, '/src/build/configure')
  t.end()
})

t.test('a config.nice of httpd 2.4 is accepted unchanged', (t) => {
  const { status, report } = from(NICE_2_4)
  t.match(status, { port: 8350, shared: ['auth_basic', 'deflate', 'rewrite', 'greeting'], static: ['authz_core'] })
  t.equal(report.recordedBy, '2.4')
  t.strictSame(report.withoutMeaning, ['--with-apr=/usr/local/apr', 'CFLAGS=-O1 -g'])
  t.strictSame(report.changedDefaults, [])
  t.end()
})

t.test('a config.nice of httpd 2.2 is accepted, and changed defaults are reported with the old value and the new', (t) => {
  const { nice, status, report } = from(NICE_2_2, ['--prefix=/opt/gw'])
  t.match(status, { shared: ['authz_core', 'auth_basic', 'status', 'rewrite', 'greeting'], static: ['deflate'] })
  t.equal(report.recordedBy, '2.2')
  t.strictSame(report.leftOut, ['ssl', 'proxy'])
  t.strictSame(nice.words.slice(-3), ['--prefix=/opt/gw', '--disable-ssl', '--disable-proxy'], 'and can be run again')
  t.match(report.changedDefaults, [
    { topic: /LoadModule lines/, old: /active/, new: /commented/, restoredBy: '--enable-load-all-modules' },
    { topic: 'mod_authz_default' },
    { topic: 'mod_disk_cache', new: 'mod_cache_disk' },
  ])
  t.strictSame(report.unknown, [])
  t.throws(
    () => from(NICE_2_2, ['--enable-ldap']),
    { message: /^mod_ldap has been requested/ },
    'words of a person are taken at their word',
  )
  t.end()
})

t.test('a file that both lines could have written is identified by an option', (t) => {
  const plain = NICE_2_2.replace(
    /"--enable-(authz-default|disk-cache|mods-shared=all ssl|so)" \\\n|"--with-mpm=prefork" \\\n/g,
    '',
  )
  t.equal(from(plain).report.recordedBy, null)
  t.match(reportLines(from(plain).report).at(-1), /--from-2\.2/)
  const { report } = from(plain, [], '2.2')
  t.equal(report.recordedBy, '2.2')
  t.strictSame(
    report.changedDefaults.map(({ old, new: now }) => [old, now]),
    [
      ['static', 'shared, with LoadModule lines'],
      ['the default class', 'most'],
      ['only on request', 'always'],
      ['one active line for each shared module', 'active for class few, the others commented out'],
      ['prefork', 'event, built in'],
    ],
  )
  t.end()
})

t.test('a process model that only a patched httpd has is left out of a recorded command, and refused by hand', (t) => {
  const patched = NICE_2_2.replace('--with-mpm=prefork', '--with-mpm=itk')
  const { nice, report } = from(patched, ['--prefix=/opt/gw'])
  t.strictSame(report.processModel, { asked: 'itk', used: 'event' })
  t.ok(reportLines(report).includes('process model    event, built in (requested: itk)'))
  t.ok(configured(...nice.words.filter((word) => !/ssl|proxy/.test(word))), 'what is recorded can be given again')
  const both = patched.replace('"--enable-so"', '"--enable-mpms-shared=itk prefork"')
  t.ok(configured(...from(both).nice.words.filter((word) => !/ssl|proxy/.test(word))))
  t.throws(() => from(NICE_2_2, ['--with-mpm=itk']), { message: 'MPM itk is not supported on this platform.' })
  t.end()
})

for (const option of ['modules', 'mods-shared']) {
  t.test(`modules of 2.2 that are gone are known in a list of --enable-${option}`, (t) => {
    const listed = NICE_2_2.replace('--enable-mods-shared=all ssl', `--enable-${option}=all mem-cache disk_cache authn-alias`)
    const { report } = from(listed.replace(/"--enable-(authz-default|disk-cache)" \\\n/g, ''))
    t.equal(report.recordedBy, '2.2')
    t.strictSame(report.unknown, [])
    const topics = report.changedDefaults.map(({ topic }) => topic)
    for (const name of ['mem_cache', 'disk_cache', 'authn_alias']) t.ok(topics.includes(`mod_${name}`), name)
    t.end()
  })
}
