import type { AuthnProvider, Request } from '@gatewright/api'
import { configError, moduleLog, observedModule, requestRecorder, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authnAnon from '../src/index.ts'

/** The provider in a server, a request for a folder with these lines, and the module's log. */
async function anonymous(t: Test, lines: string, more = ''): Promise<Anonymous> {
  const observed = observedModule(authnAnon)
  const recorder = requestRecorder()
  const server = await site({
    modules: [observed.module, recorder.module],
    config: `LogLevel authn_anon:info\n<Directory "@ROOT@/docs">\n${lines}\n</Directory>\n${more}`,
    files: { 'docs/e/f.txt': 'x' },
  })
  t.teardown(() => server.close())
  await server.inject('/e/f.txt')
  const provider = observed.host.providers.authn.get('anon')
  if (provider === undefined) throw new Error('no provider')
  return { provider, request: recorder.last, log: () => moduleLog(server, 'authn_anon') }
}

interface Anonymous {
  readonly provider: AuthnProvider
  readonly request: Request
  log(): string[]
}

async function check(t: Test, lines: string, user: string, email: string): Promise<[unknown, string[]]> {
  const { provider, request, log } = await anonymous(t, lines)
  return [await provider.checkPassword?.(request, user, email), log()]
}

t.test('the directive table has the names, contexts and override class of httpd', async (t) => {
  const table = Object.entries(authnAnon.directives ?? {}).map(([name, { kind, context, override }]) => [
    name,
    kind,
    context,
    override,
  ])
  const where = [['directory', 'htaccess'], 'AuthConfig']
  t.same(table, [
    ['Anonymous', 'iterate', ...where],
    ['Anonymous_MustGiveEmail', 'flag', ...where],
    ['Anonymous_NoUserId', 'flag', ...where],
    ['Anonymous_VerifyEmail', 'flag', ...where],
    ['Anonymous_LogEmail', 'flag', ...where],
  ])
})

t.test('a guest with an address is granted access, and others are passed to the next provider', async (t) => {
  const guests = 'Anonymous Guest "a b"'
  const rows: [lines: string, user: string, email: string, status: string][] = [
    [guests, 'guest', 'me@x.y', 'granted'],
    [guests, 'GUEST', 'me', 'granted'],
    [guests, 'a b', 'me', 'granted'],
    [guests, 'guest', '', 'denied'],
    [guests, 'other', 'me@x.y', 'not-found'],
    [guests, '', 'me@x.y', 'not-found'],
    [guests, '*', 'me@x.y', 'not-found'],
    [`${guests}\nAnonymous_MustGiveEmail Off`, 'guest', '', 'granted'],
    [`${guests}\nAnonymous_MustGiveEmail Off\nAnonymous_VerifyEmail On`, 'guest', '', 'denied'],
    [`${guests}\nAnonymous_VerifyEmail On`, 'guest', 'me@host', 'denied'],
    [`${guests}\nAnonymous_VerifyEmail On`, 'guest', 'me.host', 'denied'],
    [`${guests}\nAnonymous_VerifyEmail On`, 'guest', '.@', 'granted'],
    [`${guests}\nAnonymous_NoUserId On`, '', 'me@x.y', 'granted'],
    [`${guests}\nAnonymous_NoUserId On`, '', '', 'denied'],
    ['Anonymous *', 'whoever', 'me', 'granted'],
    ['Anonymous *', '', 'me', 'not-found'],
    ['Anonymous guest\nAnonymous *', 'whoever', 'me', 'granted'],
    ['Anonymous_NoUserId On', '', 'me', 'not-found'],
    ['Anonymous_MustGiveEmail Off', 'guest', 'me', 'not-found'],
  ]
  for (const [lines, user, email, status] of rows)
    t.equal((await check(t, lines, user, email))[0], status, `${lines}: ${user}:${email}`)
})

t.test('the address of a granted guest is logged, once and unless disabled', async (t) => {
  t.same(await check(t, 'Anonymous guest', 'guest', 'me@x.y'), ['granted', ['info AH01672: Anonymous: Passwd <me@x.y> Accepted']])
  t.same(await check(t, 'Anonymous guest\nAnonymous_LogEmail Off', 'guest', 'me@x.y'), ['granted', []])
  t.same(await check(t, 'Anonymous guest', 'guest', ''), ['denied', []])
  const { provider, request, log } = await anonymous(t, 'Anonymous guest')
  for (const later of ['main', 'prev'] as const) {
    const derived = Object.create(request, { [later]: { value: request } })
    t.equal(provider.checkPassword?.(derived, 'guest', 'me'), 'granted')
  }
  t.same(log(), [])
})

t.test('explanations list the named guests', async (t) => {
  for (const [lines, names] of [
    ['Anonymous Guest "a b" *', ['guest', 'a b']],
    ['Anonymous *', []],
    ['Anonymous_NoUserId On', []],
  ] as const) {
    const { provider, request } = await anonymous(t, lines)
    t.same(provider.userNames?.(request), names, lines)
  }
})

t.test('a section with one directive inherits none of the others', async (t) => {
  const inner = '<Directory "@ROOT@/docs/e">\nAnonymous_VerifyEmail On\n</Directory>'
  const { provider, request } = await anonymous(t, 'Anonymous guest', inner)
  t.equal(await provider.checkPassword?.(request, 'guest', 'me@x.y'), 'not-found')
})

t.test('an empty name is an error, and Digest authentication is not supported', async (t) => {
  t.equal(
    await configError({ modules: [authnAnon], config: '<Location "/">\nAnonymous ""\n</Location>' }),
    'Anonymous requires at least one argument, a space-separated list of user IDs',
  )
  t.equal((await anonymous(t, '')).provider.realmHash, undefined)
})
