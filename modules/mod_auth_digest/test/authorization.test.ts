import t from 'tap'
import { readAuthorization } from '../src/authorization.ts'

const NONCE = `AAAAAAAAAAA=${'0'.repeat(40)}`
const RESPONSE = 'f'.repeat(32)
const NEEDED = `username="bob", realm="R", nonce="${NONCE}", uri="/", response="${RESPONSE}"`
const WHOLE = `${NEEDED}, qop=auth, nc=00000001, cnonce="c"`

const READ = {
  username: 'bob',
  realm: 'R',
  nonce: NONCE,
  uri: '/',
  response: RESPONSE,
  algorithm: null,
  opaque: null,
  qop: 'auth',
  cnonce: 'c',
  count: '00000001',
}

t.test('credentials are the same in all notations', async (t) => {
  const headers = [
    `Digest ${WHOLE}`,
    `dIGEST \t ${WHOLE}`,
    `Digest ${WHOLE.replaceAll(', ', ',')}`,
    `Digest ${WHOLE.replaceAll('=', '\t= ').replace('AAA\t= ', 'AAA=')}`,
    `Digest ${WHOLE.replaceAll('"', '')}`,
    `Digest ${WHOLE.replace(/\w+=/g, (name) => name.toUpperCase()).replace(NONCE.toUpperCase(), NONCE)}`,
    `Digest , ,${WHOLE}, ,`,
    `Digest ${WHOLE}, auth-param=x, and more`,
    `Digest ${WHOLE.replace('"bob"', '"b\\ob"junk "more"')}`,
    `Digest username=alice, ${WHOLE}`,
    `Digest ${WHOLE.slice(0, -1)}`,
    `Digest ${WHOLE}, x="a, username=alice, \\", realm=S`,
    `Digest ${WHOLE}, x="\\`,
  ]
  for (const header of headers) t.same(readAuthorization(header), READ, header)
})

t.test('the last field of a name counts, and a field without a value is empty', async (t) => {
  t.match(readAuthorization(`Digest ${WHOLE}, username="alice"`), { username: 'alice' })
  t.match(readAuthorization(`Digest ${WHOLE}, username`), { username: '' })
  t.match(readAuthorization(`Digest ${WHOLE}, algorithm=, opaque=""`), { algorithm: '', opaque: '' })
  t.match(readAuthorization(`Digest ${WHOLE}, x "a, username=b"`), { username: 'b"' }, 'these quotes quote nothing')
})

t.test('escapes are removed, and bytes above ASCII are kept', async (t) => {
  t.match(readAuthorization(`Digest ${WHOLE}, username="q\\"u\\\\ b\xe9,"`), { username: 'q"u\\ b\xe9,' })
  t.match(readAuthorization(`Digest ${WHOLE}, username="end\\`), { username: 'end\\' })
})

t.test('another scheme is returned by name', async (t) => {
  const rows = [
    ['', ''],
    ['Basic Ym9iOnB3', 'Basic'],
    ['Digest,realm=R', 'Digest,realm=R'],
    ['"Digest" x', '"Digest"'],
    ['Digester x', 'Digester'],
  ]
  for (const [header, scheme] of rows) t.same(readAuthorization(header), { scheme }, header)
})

t.test('required fields must be present and have the right length', async (t) => {
  for (const name of ['username', 'realm', 'nonce', 'uri', 'response', 'nc', 'cnonce']) {
    t.equal(readAuthorization(`Digest ${WHOLE}`.replace(`${name}=`, 'x=')), 'incomplete', name)
  }
  const wrong = [
    'Digest',
    'Digest ',
    `Digest ${WHOLE.replaceAll(', ', '; ')}`,
    `Digest ${WHOLE}, nonce=${NONCE.slice(1)}`,
    `Digest ${WHOLE}, nonce=${NONCE}0`,
    `Digest ${WHOLE}, nonce=${NONCE.replace('=', 'A')}`,
    `Digest ${WHOLE}, response=${RESPONSE}0`,
    `Digest ${WHOLE}, response=${RESPONSE.slice(1)}`,
  ]
  for (const header of wrong) t.equal(readAuthorization(header), 'incomplete', header)
})

t.test('without qop, neither nc nor cnonce is required', async (t) => {
  t.match(readAuthorization(`Digest ${NEEDED}`), { qop: null, cnonce: '', count: '' })
})
