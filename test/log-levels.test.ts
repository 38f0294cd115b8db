import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Random } from './fixtures/random.ts'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'

const skip = spawnSync('apache2', ['-v']).status === 0 ? false : 'needs apache2'
const DEBIAN_MODULES = '/usr/lib/apache2/modules'
const LOADED = ['authz_core', 'authn_core', 'authn_file', 'authz_user', 'auth_basic', 'dir', 'mime', 'autoindex']

/** Only messages distinguish these levels; httpd's trace messages are not compared. */
const LEVELS = ['emerg', 'alert', 'crit', 'error', 'warn', 'notice', 'info', 'debug', 'trace1', 'trace8']
const TALKATIVE = ['core', 'authz_core', 'auth_basic', 'autoindex', 'mod_auth_basic.c', 'authz_core_module', 'dir']
const FOLDERS = 12

interface Site {
  readonly lines: readonly string[]
  readonly paths: readonly string[]
}

/** Nested folders, with and without a LogLevel of their own, in files, sections and URLs. */
function randomSite(random: Random): Site {
  const logLevel = (): string => {
    const words = random.several(1, 3, () =>
      random.percent(35) ? random.pick(LEVELS) : `${random.pick(TALKATIVE)}:${random.pick(LEVELS)}`,
    )
    return `LogLevel ${words.join(' ')}`
  }
  const section = (name: string, argument: string): string[] => [`<${name} "${argument}">`, logLevel(), `</${name}>`]
  const lines = [logLevel()]
  const paths: string[] = []
  for (let number = 0; number < FOLDERS; number++) {
    const folder = `/d${number}`
    if (random.percent(70)) lines.push(...section('Directory', `@ROOT@/htdocs${folder}`))
    if (random.percent(50)) lines.push(...section('Directory', `@ROOT@/htdocs${folder}/inner`))
    if (random.percent(30)) lines.push(...section('Location', `${folder}/inner`))
    if (random.percent(20)) lines.push(...section('Files', 'denied.txt'))
    for (const place of [folder, `${folder}/inner`])
      paths.push(...['missing', 'denied.txt', 'member.txt', 'there.txt', 'empty/'].map((name) => `${place}/${name}`))
  }
  return { lines, paths }
}

const COMMON = [
  '<Directory "@ROOT@/htdocs">',
  'Require all granted',
  'Options None',
  '</Directory>',
  '<Files "denied.txt">',
  'Require all denied',
  '</Files>',
  '<Files "member.txt">',
  'AuthType Basic',
  'AuthName members',
  'AuthUserFile "@ROOT@/conf/users"',
  'Require valid-user',
  '</Files>',
]

const LOGINS = ['shau:secret', 'shau:wrong', 'nobody:x'].map((login) => `Basic ${Buffer.from(login).toString('base64')}`)

t.test('the log of a request is that of httpd, for every combination of LogLevel', { skip }, async (t) => {
  for (const seed of [1, 2]) {
    const site = randomSite(new Random(seed))
    const [theirs, ours] = await Promise.all([
      logged(
        t,
        site,
        'apache2',
        DEBIAN_MODULES,
        `LoadModule mpm_event_module ${DEBIAN_MODULES}/mod_mpm_event.so`,
        'DefaultRuntimeDir @ROOT@/logs',
      ),
      logged(t, site, undefined, MODULES),
    ])
    t.ok(theirs.length > 50, `${theirs.length} lines`)
    t.strictSame(ours, theirs, `seed ${seed}`)
  }
})

/** Lines about requests, except trace messages: module, level and message. */
async function logged(
  t: Test,
  { lines, paths }: Site,
  program: string | undefined,
  modules: string,
  ...first: readonly string[]
): Promise<string[]> {
  const server = await StagedServer.make(t, program)
  for (const path of paths.filter((name) => name.endsWith('.txt'))) server.file(`htdocs${path}`, 'x')
  for (const path of paths.filter((name) => name.endsWith('/'))) server.file(`htdocs${path}/.keep`, '')
  server.file('conf/users', 'shau:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n')
  server.file('conf/mime.types', 'text/plain txt\n')
  const loading = LOADED.map((name) => `LoadModule ${name}_module ${join(modules, `mod_${name}.so`)}`)
  server.configure(...first, ...loading, 'TypesConfig conf/mime.types', ...COMMON, ...lines)
  await server.start()
  for (const path of paths) {
    const logins = path.endsWith('member.txt') ? ['', ...LOGINS] : ['']
    for (const login of logins) await server.get(path, login === '' ? {} : { headers: { Authorization: login } })
  }
  await server.stop()
  return (
    server
      .errors()
      .filter((line) => line.includes(server.root) || /AH0(16|17)\d\d/.test(line))
      .filter((line) => !/^\[\w+:trace\d\]/.test(line) && !/Command line|PID file/.test(line))
      // Line numbers in source files are httpd's.
      .map((line) => line.replaceAll(server.root, '@ROOT@').replace(/\.c\(\d+\)/, '.c'))
  )
}
