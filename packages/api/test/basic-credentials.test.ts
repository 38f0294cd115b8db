import t from 'tap'
import { type BasicCredentials, parseBasicCredentials } from '../src/text/index.ts'

const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64')
const BOB = base64('bob:bobpw')
const bob: BasicCredentials = { user: 'bob', password: 'bobpw' }

t.test('an Authorization header is parsed as leniently as in httpd', async (t) => {
  const rows: [string, BasicCredentials | null][] = [
    [`Basic ${BOB}`, bob],
    [`basic ${BOB}`, bob],
    [`BASIC ${BOB}`, bob],
    [`Basic  ${BOB}`, bob],
    [`Basic \t ${BOB}`, bob],
    [`Basic ${BOB} `, bob],
    [`Basic ${BOB} xyz`, bob],
    [`Basic ${BOB}!`, bob],
    [`Basic ${BOB}, Basic x`, bob],
    [`Basic ${base64('bob:bobp').replace(/=+$/, '')}`, { user: 'bob', password: 'bobp' }],
    [`Basic ${base64('bob:bobp')}==`, { user: 'bob', password: 'bobp' }],
    [`Basic ${BOB}Z`, bob],
    [`Basic\t${BOB}`, null],
    [`Basic${BOB}`, null],
    ['Bearer abc', null],
    ['Digest username="bob"', null],
    ['', null],
    [BOB, null],
    ['Basic', { user: '', password: '' }],
    ['Basic ', { user: '', password: '' }],
    ['Basic ***', { user: '', password: '' }],
    [`Basic ${base64(':')}`, { user: '', password: '' }],
    [`Basic ${base64(':pw')}`, { user: '', password: 'pw' }],
    [`Basic ${base64('bob')}`, { user: 'bob', password: '' }],
    [`Basic ${base64('bob:')}`, { user: 'bob', password: '' }],
    [`Basic ${base64('bob:bobpw:x')}`, { user: 'bob', password: 'bobpw:x' }],
    [`Basic ${base64('bob:bobpw\0zzz')}`, bob],
    [`Basic ${base64('bob\0x:bobpw')}`, { user: 'bob', password: '' }],
    [`Basic ${base64('b\xc3\xb3b:\xff')}`, { user: 'b\xc3\xb3b', password: '\xff' }],
    [`Basic ${base64('sha')}*${base64('u:x')}`, { user: 'sha', password: '' }],
  ]
  for (const [header, expected] of rows) t.same(parseBasicCredentials(header), expected, JSON.stringify(header))
})
