import t from 'tap'
import { encodeFilter, escapeFilterValue } from '../src/index.ts'

const hex = (filter: string): string | undefined => encodeFilter(filter)?.toString('hex')
const text = (value: string): string => Buffer.from(value, 'latin1').toString('hex')

t.test('the encodings of RFC 4511 for each kind of item', (t) => {
  t.equal(hex('(cn=Babs)'), `a30a0402${text('cn')}0404${text('Babs')}`)
  t.equal(hex('(cn=*)'), `8702${text('cn')}`)
  t.equal(hex('(cn>=B)'), `a5070402${text('cn')}0401${text('B')}`)
  t.equal(hex('(cn<=B)'), `a6070402${text('cn')}0401${text('B')}`)
  t.equal(hex('(cn~=B)'), `a8070402${text('cn')}0401${text('B')}`)
  t.equal(hex('(cn=a*b*c)'), `a40f0402${text('cn')}30098001${text('a')}8101${text('b')}8201${text('c')}`)
  t.equal(hex('(cn=*b*)'), `a4090402${text('cn')}30038101${text('b')}`)
  t.equal(hex('(!(cn=*))'), `a2048702${text('cn')}`)
  t.equal(hex('(&(cn=*)(sn=*))'), `a0088702${text('cn')}8702${text('sn')}`)
  t.equal(hex('(|(cn=*))'), `a1048702${text('cn')}`)
  t.equal(hex('(&)'), 'a000', 'always true, RFC 4526')
  t.equal(hex('(cn:dn:2.4.6:=v)'), `a9118105${text('2.4.6')}8202${text('cn')}8301${text('v')}8401ff`)
  t.equal(hex('(:1.2:=v)'), `a9088103${text('1.2')}8301${text('v')}`)
  t.end()
})

t.test('an item needs no parentheses, and blanks may stand between items', (t) => {
  t.equal(hex('uid=alice'), hex('(uid=alice)'))
  t.equal(hex(' ( & (cn=*) (sn=*) ) '), undefined, 'nothing may follow the filter')
  t.equal(hex('( & (cn=*) (sn=*) )'), hex('(&(cn=*)(sn=*))'))
  t.end()
})

t.test('escapes stand for their bytes', (t) => {
  t.equal(hex('(cn=\\2a)'), `a3070402${text('cn')}04012a`)
  t.equal(hex('(cn=\\*)'), hex('(cn=\\2a)'), 'as OpenLDAP accepts it')
  t.equal(hex('(cn=\\28\\29\\5c\\00)'), `a30a0402${text('cn')}040428295c00`)
  t.equal(hex('(cn=\\(\\)\\\\)'), `a3090402${text('cn')}040328295c`)
  t.equal(hex('(cn=\\\\*)'), `a4090402${text('cn')}3003${'80015c'}`, 'an escaped backslash, then anything')
  t.equal(hex('(cn=\xe9)'), `a3070402${text('cn')}0401e9`, 'bytes are kept')
  t.end()
})

t.test('what is no filter is refused', (t) => {
  const broken = [
    '',
    ' ',
    '(',
    '()',
    '((cn=a))',
    '(cn=a',
    'cn',
    '(cn)',
    '(=a)',
    '(c n=a)',
    '(cn=a)b',
    '(cn=a)(sn=b)',
    '(!(cn=a)(sn=b))',
    '(!)',
    '(&(cn=a)',
    '(&cn=a)',
    '(cn=\\zz)',
    '(cn=\\2)',
    '(cn=\\)',
    '(cn=(a)',
    '(:=a)',
    '(cn:a:b:c:=d)',
    `${'(!'.repeat(1000)}(cn=a)${')'.repeat(1000)}`,
  ]
  for (const filter of broken) t.equal(encodeFilter(filter), null, filter.slice(0, 40))
  t.end()
})

t.test('an escaped value only matches itself', (t) => {
  for (const value of ['*', '(', ')', '\\', '\0', 'a)(uid=*', '\\2a', 'plain', '\xff']) {
    const filter = encodeFilter(`(uid=${escapeFilterValue(value)})`)
    t.equal(
      filter?.toString('latin1'),
      `\xa3${String.fromCharCode(7 + value.length)}\x04\x03uid\x04${String.fromCharCode(value.length)}${value}`,
    )
  }
  t.end()
})
