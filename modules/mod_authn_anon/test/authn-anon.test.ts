import t from 'tap'
import { FakeHost } from '../../mod_authz_core/test/fakes/fake-host.ts'
import authnAnon from '../src/index.ts'

function hostWith(lines: string): FakeHost {
  const host = new FakeHost([authnAnon])
  const error = host.configure(`<Directory /d>\n${lines}\n</Directory>`)
  if (error !== undefined) throw new Error(error)
  return host
}

async function check(lines: string, user: string, email: string): Promise<[unknown, string[]]> {
  const host = hostWith(lines)
  return [await host.authn.get('anon')?.checkPassword?.(host.request(), user, email), host.logs.take()]
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

t.test('a guest is let in with an address, and others are left to the next provider', async (t) => {
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
    t.equal((await check(lines, user, email))[0], status, `${lines}: ${user}:${email}`)
})

t.test('the address of a guest who is let in is logged, once and unless told otherwise', async (t) => {
  t.same(await check('Anonymous guest', 'guest', 'me@x.y'), [
    'granted',
    ['authn_anon:info AH01672: Anonymous: Passwd <me@x.y> Accepted'],
  ])
  t.same(await check('Anonymous guest\nAnonymous_LogEmail Off', 'guest', 'me@x.y'), ['granted', []])
  t.same(await check('Anonymous guest', 'guest', ''), ['denied', []])
  const host = hostWith('Anonymous guest')
  const anon = host.authn.get('anon')
  for (const later of ['main', 'prev'] as const) {
    const request = Object.defineProperty(host.request(), later, { value: host.request() })
    t.equal(anon?.checkPassword?.(request, 'guest', 'me'), 'granted')
  }
  t.same(host.logs.take(), [])
})

t.test('explanations are told the guests that are named', async (t) => {
  for (const [lines, names] of [
    ['Anonymous Guest "a b" *', ['guest', 'a b']],
    ['Anonymous *', []],
    ['Anonymous_NoUserId On', []],
  ] as const) {
    const host = hostWith(lines)
    t.same(host.authn.get('anon')?.userNames?.(host.request()), names, lines)
  }
})

t.test('a section with one directive inherits nothing of the others', async (t) => {
  const host = new FakeHost([authnAnon])
  host.configure('<Directory /d>\nAnonymous guest\n</Directory>\n<Directory /d/e>\nAnonymous_VerifyEmail On\n</Directory>')
  t.equal(await host.authn.get('anon')?.checkPassword?.(host.request(), 'guest', 'me@x.y'), 'not-found')
})

t.test('an empty name is a mistake, and Digest authentication is not supported', async (t) => {
  t.throws(() => hostWith('Anonymous ""'), { message: '2: Anonymous string cannot be empty, use Anonymous_NoUserId' })
  t.equal(new FakeHost([authnAnon]).authn.get('anon')?.realmHash, undefined)
})
