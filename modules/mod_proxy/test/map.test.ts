import t from 'tap'
import { matchPath } from '../src/map.ts'
import { splitProxyUrl } from '../src/workers/proxy-url.ts'

t.test('a path matches whole segments, and slashes in any number', async (t) => {
  t.equal(matchPath('/a', '/a'), 2)
  t.equal(matchPath('/a/x', '/a'), 2)
  t.equal(matchPath('/aa', '/a'), 0)
  t.equal(matchPath('/slash', '/slash/'), 0)
  t.equal(matchPath('/slash/x', '/slash/'), 7)
  t.equal(matchPath('//a///x', '/a/'), 6)
  t.equal(matchPath('/x', '/'), 1)
})

t.test('a URL is split without its user, and with brackets of addresses', async (t) => {
  t.same(splitProxyUrl('HTTP://u:p@Host:81/P?q'), { scheme: 'http', hostname: 'host', port: '81', user: 'u:p@', rest: '/P?q' })
  t.same(splitProxyUrl('http://[::1]:81/'), { scheme: 'http', hostname: '::1', port: '81', user: '', rest: '/' })
  t.equal(splitProxyUrl('http://host:abc/'), 'malformed')
  t.equal(splitProxyUrl('http://[::1/'), 'malformed')
  t.equal(splitProxyUrl('/path'), 'relative')
})
