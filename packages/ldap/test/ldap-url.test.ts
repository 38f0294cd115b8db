import t from 'tap'
import { hostsIn, parseLdapUrl } from '../src/index.ts'

t.test('the parts of a URL', (t) => {
  const whole = {
    scheme: 'ldap',
    hosts: 'h:3890',
    port: 3890,
    base: 'o=x',
    attributes: ['uid', 'cn'],
    scope: 'one',
    filter: '(a=b)',
  }
  t.same(parseLdapUrl('ldap://h:3890/o=x?uid,cn?one?(a=b)'), whole)
  t.same(parseLdapUrl('LDAP://h:3890/o=x?uid,cn?ONE?(a=b)?!ext'), whole)
  t.same(parseLdapUrl('<URL:ldap://h:3890/o=x?uid,cn?one?(a=b)>'), whole)
  t.match(parseLdapUrl('ldap://h/o=a%20b%2Cc?uid'), { base: 'o=a b,c' })
  t.match(parseLdapUrl('ldap://h/o%zz'), { base: 'o%zz' }, 'an escape that is none stays')
  t.match(parseLdapUrl('ldap:///'), { hosts: '', base: null, scope: null, filter: null, attributes: [] })
  t.match(parseLdapUrl('ldap://h?uid'), { hosts: 'h', base: null, attributes: [] })
  t.match(parseLdapUrl('ldaps://a b:1/o=x'), { scheme: 'ldaps', hosts: 'a b:1', port: 0 })
  for (const text of ['http://h/o=x', 'h/o=x', '', 'ldap:h'])
    t.same(parseLdapUrl(text), { error: 'The scheme was not recognised as a valid LDAP URL scheme.' })
  t.same(parseLdapUrl('ldap://h/o=x?uid?deep'), { error: 'Bad scope encountered while parsing LDAP URL.' })
  t.end()
})

t.test('hosts with and without ports', (t) => {
  t.same(hostsIn('a b:1  [::1]:2 [::2]', 389), [
    { host: 'a', port: 389 },
    { host: 'b', port: 1 },
    { host: '::1', port: 2 },
    { host: '::2', port: 389 },
  ])
  t.same(hostsIn('', 636), [{ host: 'localhost', port: 636 }])
  t.same(hostsIn('a:port :3', 389), [
    { host: 'a', port: 389 },
    { host: 'localhost', port: 3 },
  ])
  t.end()
})
