import { chmodSync } from 'node:fs'
import { type FoundCredentials, storeCredentials } from '@gatewright/api/peers'
import t from 'tap'
import { FakeHost } from '../../mod_authz_core/test/fakes/fake-host.ts'
import { fakeHostServices } from '../../mod_authz_core/test/fakes/fake-services.ts'
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

t.test('lines of a password file are read as httpd reads them', async (t) => {
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

/** Answers of the provider for a file, synchronous and with a promise. */
async function check(userFile: string | undefined, user: string, password: string): Promise<[string, string[]]> {
  const answers: [string, string[]][] = []
  for (const slow of [false, true]) {
    const verify = (stored: string, given: string): boolean => stored === `plain${given}`
    const services = fakeHostServices({ verifyPassword: slow ? async (stored, given) => verify(stored, given) : verify })
    const host = new FakeHost([authnFile], { services })
    host.configure(userFile === undefined ? '' : `<Directory /d>\nAuthUserFile "${userFile}"\n</Directory>`)
    const status = await host.authn.get('file')?.checkPassword?.(host.request(), user, password)
    answers.push([status ?? '', host.logs.take()])
  }
  if (JSON.stringify(answers[0]) !== JSON.stringify(answers[1])) throw new Error('waiting for the password changes the answer')
  return answers[0]
}

t.test('the provider knows users by their lines and passwords by their hashes', async (t) => {
  const dir = t.testdir({ users: 'bob:plainpw\nempty:\n' })
  t.same(await check(`${dir}/users`, 'bob', 'pw'), ['granted', []])
  t.same(await check(`${dir}/users`, 'bob', 'no'), ['denied', []])
  t.same(await check(`${dir}/users`, 'empty', ''), ['denied', []])
  t.same(await check(`${dir}/users`, 'zoe', 'pw'), ['not-found', []])
})

t.test('/dev/null is a file without users', async (t) => {
  t.same(await check('/dev/null', 'bob', 'pw'), ['not-found', []])
})

t.test('a file that is missing, unreadable or no file is a general error', async (t) => {
  const dir = t.testdir({ secret: 'bob:plainpw', folder: {} })
  t.same(await check(undefined, 'bob', 'pw'), [
    'general-error',
    ['authn_file:error AH01619: AuthUserFile not specified in the configuration'],
  ])
  t.same(await check(`${dir}/nosuch`, 'bob', 'pw'), [
    'general-error',
    [`authn_file:error (ENOENT) AH01620: Could not open password file: ${dir}/nosuch`],
  ])
  t.same(await check(`${dir}/folder`, 'bob', 'pw'), [
    'general-error',
    [
      `authn_file:error AH00554: Access to file ${dir}/folder denied by server: not a regular file`,
      `authn_file:error (9)Bad file descriptor: AH01620: Could not open password file: ${dir}/folder`,
    ],
  ])
  if (process.getuid?.() === 0) return
  chmodSync(`${dir}/secret`, 0)
  t.match(await check(`${dir}/secret`, 'bob', 'pw'), ['general-error', [/\(EACCES\) AH01620/]])
})

t.test('Digest use has message numbers of its own', async (t) => {
  const dir = t.testdir({ digest: 'bob:R:hash\n' })
  const realmHash = (lines: string, user: string): [unknown, string[]] => {
    const host = new FakeHost([authnFile])
    host.configure(lines)
    return [host.authn.get('file')?.realmHash?.(host.request(), user, 'R'), host.logs.take()]
  }
  t.same(realmHash(`<Directory /d>\nAuthUserFile ${dir}/digest\n</Directory>`, 'bob'), ['hash', []])
  t.same(realmHash(`<Directory /d>\nAuthUserFile ${dir}/digest\n</Directory>`, 'zoe'), ['not-found', []])
  t.match(realmHash('', 'bob'), ['general-error', [/AH01621/]])
  t.match(realmHash(`<Directory /d>\nAuthUserFile ${dir}/nosuch\n</Directory>`, 'bob'), ['general-error', [/AH01622/]])
})

t.test('a relative path is taken from the ServerRoot', async (t) => {
  const host = new FakeHost([authnFile])
  host.configure('<Directory /d>\nAuthUserFile auth/users\n</Directory>')
  await host.authn.get('file')?.checkPassword?.(host.request(), 'bob', 'pw')
  t.match(host.logs.take(), [/Could not open password file: \/root\/auth\/users$/])
})

t.test('what the file says of a user is offered to a cache, whatever the password', async (t) => {
  const file = `${t.testdir({ users: 'bob:plainpw\nbob:R:abc\n' })}/users`
  const host = new FakeHost([authnFile])
  const offered: FoundCredentials[] = []
  host.functions.offer(storeCredentials, (_request, found) => void offered.push(found))
  host.configure(`<Directory /d>\nAuthUserFile ${file}\n</Directory>`)
  const provider = host.authn.get('file')
  t.equal(await provider?.checkPassword?.(host.request(), 'bob', 'no'), 'denied')
  t.equal(await provider?.checkPassword?.(host.request(), 'zoe', 'no'), 'not-found')
  t.equal(await provider?.realmHash?.(host.request(), 'bob', 'R'), 'abc')
  t.equal(await provider?.realmHash?.(host.request(), 'bob', 'Q'), 'not-found')
  t.same(offered, [
    { provider: 'file', user: 'bob', realm: null, hash: 'plainpw' },
    { provider: 'file', user: 'bob', realm: 'R', hash: 'abc' },
  ])
})
