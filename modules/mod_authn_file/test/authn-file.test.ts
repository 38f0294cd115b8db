import { chmodSync } from 'node:fs'
import { type AnyModule, type AuthnProvider, defineModule, type Request } from '@gatewright/api'
import { type FoundCredentials, storeCredentials } from '@gatewright/api/peers'
import { moduleLog, observedModule, requestRecorder, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authnFile from '../src/index.ts'
import { readPasswordFile } from './read-password-file.ts'

t.test('the directive table has the name, contexts and override class of httpd', async (t) => {
  const table = Object.entries(authnFile.directives ?? {}).map(([name, { kind, context, override }]) => [
    name,
    kind,
    context,
    override,
  ])
  t.same(table, [['AuthUserFile', 'take1', ['directory', 'htaccess'], 'AuthConfig']])
})

t.test('lines of a password file are parsed as in httpd', async (t) => {
  const file = readPasswordFile(
    [
      '# comment:x',
      '',
      'bob:hash',
      'bob:later',
      'more:hash:and:fields',
      '  lead:hash',
      'trail :hash',
      'end:hash  \t\r',
      'alone',
      'empty:',
      ':nobody',
      'joi\\',
      'ned:ha\\',
      'sh',
      '#hash:x',
      'b\xc3\xb3b:bytes',
      'last:hash',
    ].join('\n'),
  )
  const rows: [string, string | undefined][] = [
    ['bob', 'hash'],
    ['more', 'hash'],
    ['lead', 'hash'],
    ['  lead', undefined],
    ['trail ', 'hash'],
    ['trail', undefined],
    ['end', 'hash'],
    ['alone', ''],
    ['empty', ''],
    ['', 'nobody'],
    ['joined', 'hash'],
    ['#hash', undefined],
    ['# comment', undefined],
    ['BOB', undefined],
    ['b\xc3\xb3b', 'bytes'],
    ['last', 'hash'],
    ['constructor', undefined],
  ]
  for (const [user, stored] of rows) t.equal(file.storedPassword(user), stored, JSON.stringify(user))
})

t.test('reading stops at a line that is too long', async (t) => {
  const file = readPasswordFile(`one:a\ntwo:${'x'.repeat(8186)}\nlong:${'x'.repeat(8186)}\nthree:c\n`)
  t.equal(file.storedPassword('one'), 'a')
  t.equal(file.storedPassword('two')?.length, 8186)
  t.equal(file.storedPassword('long'), undefined)
  t.equal(file.storedPassword('three'), undefined)
})

t.test('the hash for Digest authentication is that of the user in the realm', async (t) => {
  const file = readPasswordFile('bob:R:one\nbob:Other:two\nbob:R:three\nzoe:R\nzed\n')
  t.equal(file.realmHash('bob', 'R'), 'one')
  t.equal(file.realmHash('bob', 'Other'), 'two')
  t.equal(file.realmHash('bob', 'r'), undefined)
  t.equal(file.realmHash('zoe', 'R'), '')
  t.equal(file.realmHash('zed', ''), '')
  t.equal(file.realmHash('nobody', 'R'), undefined)
})

/** A hash of pw that the server checks immediately, and one that it checks in another thread. */
const FAST = '{SHA}GpHWL3ymc5liWkNopqtdSjuqYHM='
const SLOW = '$2y$04$7iALKJEBJOOpxEUsVgYzhukQjuNww3iJRrsF8tiasRuRrq0dli2ty'

interface FileSite {
  readonly provider: AuthnProvider
  readonly request: Request
  readonly root: string
  log(): string[]
}

/** The provider in a server, a request for a folder with these lines, and the module's log. */
async function fileSite(t: Test, lines: string, more: readonly AnyModule[] = []): Promise<FileSite> {
  const observed = observedModule(authnFile)
  const recorder = requestRecorder()
  const server = await site({
    modules: [observed.module, recorder.module, ...more],
    config: `<Directory "@ROOT@/docs">\n${lines}\n</Directory>`,
    files: { 'docs/f.txt': 'x' },
  })
  t.teardown(() => server.close())
  // The port keeps this process alive while another thread checks a hash.
  await server.listen()
  await server.inject('/f.txt')
  const provider = observed.host.providers.authn.get('file')
  if (provider === undefined) throw new Error('no provider')
  return { provider, request: recorder.last, root: server.serverRoot, log: () => moduleLog(server, 'authn_file') }
}

async function check(t: Test, userFile: string | undefined, user: string, password: string): Promise<[unknown, string[]]> {
  const { provider, request, log } = await fileSite(t, userFile === undefined ? '' : `AuthUserFile "${userFile}"`)
  return [await provider.checkPassword?.(request, user, password), log()]
}

t.test('the provider finds users by their lines and checks passwords by their hashes', async (t) => {
  for (const hash of [FAST, SLOW]) {
    const dir = t.testdir({ users: `bob:${hash}\nempty:\n` })
    const { provider, request } = await fileSite(t, `AuthUserFile "${dir}/users"`)
    const answer = provider.checkPassword?.(request, 'bob', 'pw')
    t.equal(answer instanceof Promise, hash === SLOW)
    await answer
    t.same(await check(t, `${dir}/users`, 'bob', 'pw'), ['granted', []], hash)
    t.same(await check(t, `${dir}/users`, 'bob', 'no'), ['denied', []], hash)
    t.same(await check(t, `${dir}/users`, 'empty', ''), ['denied', []], hash)
    t.same(await check(t, `${dir}/users`, 'zoe', 'pw'), ['not-found', []], hash)
  }
})

t.test('/dev/null is a file without users', async (t) => {
  t.same(await check(t, '/dev/null', 'bob', 'pw'), ['not-found', []])
})

t.test('a missing or unreadable file, or another kind of file, is a general error', async (t) => {
  const dir = t.testdir({ secret: 'bob:plainpw', folder: {} })
  t.same(await check(t, undefined, 'bob', 'pw'), [
    'general-error',
    ['error AH01619: AuthUserFile not specified in the configuration'],
  ])
  t.same(await check(t, `${dir}/nosuch`, 'bob', 'pw'), [
    'general-error',
    [`error (2)No such file or directory: AH01620: Could not open password file: ${dir}/nosuch`],
  ])
  t.same(await check(t, `${dir}/folder`, 'bob', 'pw'), [
    'general-error',
    [
      `error AH00554: Access to file ${dir}/folder denied by server: not a regular file`,
      `error (9)Bad file descriptor: AH01620: Could not open password file: ${dir}/folder`,
    ],
  ])
  if (process.getuid?.() === 0) return
  chmodSync(`${dir}/secret`, 0)
  t.match(await check(t, `${dir}/secret`, 'bob', 'pw'), ['general-error', [/\(13\)Permission denied: AH01620/]])
})

t.test('Digest authentication has its own log codes', async (t) => {
  const dir = t.testdir({ digest: 'bob:R:hash\n' })
  const realmHash = async (lines: string, user: string): Promise<[unknown, string[]]> => {
    const { provider, request, log } = await fileSite(t, lines)
    return [await provider.realmHash?.(request, user, 'R'), log()]
  }
  t.same(await realmHash(`AuthUserFile ${dir}/digest`, 'bob'), ['hash', []])
  t.same(await realmHash(`AuthUserFile ${dir}/digest`, 'zoe'), ['not-found', []])
  t.match(await realmHash('', 'bob'), ['general-error', [/AH01621/]])
  t.match(await realmHash(`AuthUserFile ${dir}/nosuch`, 'bob'), ['general-error', [/AH01622/]])
})

t.test('a relative path refers to the ServerRoot', async (t) => {
  const { provider, request, root, log } = await fileSite(t, 'AuthUserFile auth/users')
  await provider.checkPassword?.(request, 'bob', 'pw')
  t.match(log(), [new RegExp(`Could not open password file: ${root}/auth/users$`)])
})

t.test('the stored hash of a user is offered to a cache, whatever the password', async (t) => {
  const file = `${t.testdir({ users: `bob:${FAST}\nbob:R:abc\n` })}/users`
  const offered: FoundCredentials[] = []
  const cache = defineModule({
    name: 'cache_module',
    source: 'mod_cache.c',
    register: ({ functions }) => functions.offer(storeCredentials, (_request, found) => void offered.push(found)),
  })
  const { provider, request } = await fileSite(t, `AuthUserFile ${file}`, [cache])
  t.equal(await provider.checkPassword?.(request, 'bob', 'no'), 'denied')
  t.equal(await provider.checkPassword?.(request, 'zoe', 'no'), 'not-found')
  t.equal(await provider.realmHash?.(request, 'bob', 'R'), 'abc')
  t.equal(await provider.realmHash?.(request, 'bob', 'Q'), 'not-found')
  t.same(offered, [
    { provider: 'file', user: 'bob', realm: null, hash: FAST },
    { provider: 'file', user: 'bob', realm: 'R', hash: 'abc' },
  ])
})
