import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDbmWriter } from '@gatewright/dbm'
import { hashPassword } from '@gatewright/passwd'
import { basicAuth, site, withServices } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { costliestHash } from '../../../packages/core/src/services/password-cost.ts'
import { PasswordPool } from '../../../packages/core/src/services/passwords.ts'
import authnCore from '../../mod_authn_core/src/index.ts'
import authnDbm from '../../mod_authn_dbm/src/index.ts'
import authnFile from '../../mod_authn_file/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import authBasic from '../src/index.ts'

const password = Buffer.from('secret')
const SHA = hashPassword('sha', password)
const APR1 = hashPassword('apr1', password)
const CHEAP_BCRYPT = hashPassword('bcrypt', password, { cost: 4 })
const BCRYPT = hashPassword('bcrypt', password, { cost: 6 })
const SHA512 = hashPassword('sha512', password, { rounds: 1000 })
const TOO_COSTLY = BCRYPT.replace('$06$', '$31$')

/** Logins at a server, each with the hashes computed for it. */
interface Logins {
  login(user: string, password: string): Promise<{ readonly status: number; readonly hashed: readonly string[] }>
}

async function serve(t: Test, lines: string): Promise<Logins> {
  const hashed: string[] = []
  const pool = new PasswordPool({ size: 1, onHash: (stored) => hashed.push(stored) })
  // The threads of the pool do not keep the process alive.
  const timer = setInterval(() => undefined, 1000)
  const services: Parameters<typeof withServices>[1] = {
    verifyPassword: (stored, given, _request, decoy) => pool.verify(stored, given, { decoy }),
    refusePassword: (decoy, given) => pool.refuse(decoy, given),
    costliestHash,
  }
  const server = await site({
    modules: [
      authnCore,
      authzCore,
      authzUser,
      withServices(authBasic, services),
      withServices(authnFile, services),
      withServices(authnDbm, services),
    ],
    config: lines,
    files: { 'docs/f.txt': 'x' },
  })
  t.teardown(async () => {
    clearInterval(timer)
    await server.close()
    await pool.close()
  })
  return {
    async login(user, given) {
      hashed.length = 0
      const { status } = await server.inject({ target: '/f.txt', headers: basicAuth(user, given) })
      return { status, hashed: [...hashed] }
    },
  }
}

function section(...lines: readonly string[]): string {
  return ['<Location />', 'AuthType Basic', 'AuthName R', 'Require valid-user', ...lines, '</Location>', ''].join('\n')
}

const root = t.testdir()

/** A new folder each time. */
function folder(): string {
  return mkdtempSync(join(root, 'files-'))
}

function passwordFile(users: Readonly<Record<string, string>>): string {
  const file = join(folder(), 'users')
  writeFileSync(
    file,
    Object.entries(users)
      .map(([name, hash]) => `${name}:${hash}\n`)
      .join(''),
  )
  return file
}

function database(users: Readonly<Record<string, string>>): string {
  const file = join(folder(), 'database')
  const writer = openDbmWriter(file, 'SDBM', 'truncate')
  for (const [name, hash] of Object.entries(users)) writer.replace(Buffer.from(name), Buffer.from(hash, 'latin1'))
  writer.close()
  return file
}

const USERS = { sha: SHA, apr1: APR1, costly: BCRYPT, cheap: CHEAP_BCRYPT, empty: '', plain: 'secret', forever: TOO_COSTLY }

/** The same users in both kinds of file. DBM files cannot have a user without a hash. */
const KINDS: readonly (readonly [kind: string, lines: (users: Readonly<Record<string, string>>) => string])[] = [
  ['password file', (users) => section(`AuthUserFile ${passwordFile(users)}`)],
  ['DBM file', (users) => section('AuthBasicProvider dbm', 'AuthDBMType SDBM', `AuthDBMUserFile ${database(users)}`)],
]

for (const [kind, linesFor] of KINDS) {
  t.test(`${kind}: every refused login costs one hash, and an unknown user’s is the costliest of the file`, async (t) => {
    const logins = await serve(t, linesFor(USERS))
    t.same(await logins.login('nobody', 'guess'), { status: 401, hashed: [BCRYPT] }, 'unknown user')
    t.same(await logins.login('nobody', 'guess'), { status: 401, hashed: [BCRYPT] }, 'and once more')
    for (const user of ['sha', 'apr1', 'costly', 'cheap'] as const) {
      t.same(await logins.login(user, 'guess'), { status: 401, hashed: [USERS[user]] }, `${user}, wrong password`)
    }
  })

  t.test(`${kind}: a user with an unusable hash costs as much as an unknown one`, async (t) => {
    const logins = await serve(t, linesFor(USERS))
    for (const user of ['empty', 'plain', 'forever']) {
      for (const given of ['secret', '', 'guess']) {
        t.same(await logins.login(user, given), { status: 401, hashed: [BCRYPT] }, `${user} with ${JSON.stringify(given)}`)
      }
    }
  })

  t.test(`${kind}: a password that was verified is verified again without a hash`, async (t) => {
    const logins = await serve(t, linesFor(USERS))
    t.same(await logins.login('costly', 'secret'), { status: 200, hashed: [BCRYPT] })
    t.same(await logins.login('costly', 'secret'), { status: 200, hashed: [] })
    t.same(await logins.login('costly', 'guess'), { status: 401, hashed: [BCRYPT] })
  })

  t.test(`${kind}: the password of the user whose hash is borrowed is not valid for others`, async (t) => {
    const logins = await serve(t, linesFor(USERS))
    t.same(await logins.login('nobody', 'secret'), { status: 401, hashed: [BCRYPT] })
    t.same(await logins.login('costly', 'secret'), { status: 200, hashed: [BCRYPT] }, 'nor is it remembered')
    t.same(await logins.login('nobody', 'secret'), { status: 401, hashed: [BCRYPT] }, 'nor is what is remembered used')
    t.same(await logins.login('empty', 'secret'), { status: 401, hashed: [BCRYPT] })
  })

  t.test(`${kind}: without any usable hash nothing is computed`, async (t) => {
    const logins = await serve(t, linesFor({}))
    t.same(await logins.login('nobody', 'guess'), { status: 401, hashed: [] })
    const unusable = await serve(t, linesFor({ plain: 'secret', forever: TOO_COSTLY }))
    for (const user of ['nobody', 'plain', 'forever']) {
      t.same(await unusable.login(user, 'secret'), { status: 401, hashed: [] }, user)
    }
  })
}

t.test('the costliest hash is found by scheme and parameters', async (t) => {
  for (const [others, costliest] of [
    [[SHA], SHA],
    [[SHA, APR1], APR1],
    [[SHA512, APR1, SHA], SHA512],
    [[SHA512, CHEAP_BCRYPT], CHEAP_BCRYPT],
    [[BCRYPT, CHEAP_BCRYPT, SHA512], BCRYPT],
    [[CHEAP_BCRYPT, 'secret', TOO_COSTLY], CHEAP_BCRYPT],
  ] as const) {
    const users = Object.fromEntries(others.map((hash, index) => [`user${index}`, hash]))
    const logins = await serve(t, section(`AuthUserFile ${passwordFile(users)}`))
    t.same((await logins.login('nobody', 'guess')).hashed, [costliest])
  }
})

t.test('with several providers an unknown user costs one hash, the costliest of all their files', async (t) => {
  const lines = section(
    'AuthBasicProvider dbm file',
    'AuthDBMType SDBM',
    `AuthDBMUserFile ${database({ stored: APR1 })}`,
    `AuthUserFile ${passwordFile({ listed: BCRYPT })}`,
  )
  const logins = await serve(t, lines)
  t.same(await logins.login('nobody', 'guess'), { status: 401, hashed: [BCRYPT] })
  t.same(await logins.login('listed', 'guess'), { status: 401, hashed: [BCRYPT] }, 'asking the first provider cost nothing')
  t.same(await logins.login('stored', 'guess'), { status: 401, hashed: [APR1] })
})

t.test('an alias uses the hashes of its own file', async (t) => {
  const file = passwordFile({ listed: BCRYPT })
  const logins = await serve(
    t,
    `<AuthnProviderAlias file members>\nAuthUserFile ${file}\n</AuthnProviderAlias>\n${section('AuthBasicProvider members')}`,
  )
  t.same(await logins.login('nobody', 'guess'), { status: 401, hashed: [BCRYPT] })
})

t.test('an unknown user that is passed to other modules, here to none, costs nothing', async (t) => {
  const file = passwordFile({ listed: BCRYPT })
  const logins = await serve(t, section('AuthBasicAuthoritative Off', `AuthUserFile ${file}`))
  t.same(await logins.login('nobody', 'guess'), { status: 500, hashed: [] })
})
