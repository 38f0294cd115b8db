import type { ProxyBalancer, ProxyBalancerParameters, ProxyMember, Request } from '@gatewright/api'
import { proxyWorkerStates } from '@gatewright/api'
import t from 'tap'
import { memberOfRoute, sessionRoute } from '../src/session-route.ts'

function routeOf(url: string, cookie: string, parameters: Partial<ProxyBalancerParameters> = {}): string | null {
  const balancer = {
    parameters: { stickySession: 'SID', stickyPath: 'sid', stickySeparator: '.', scolonPathDelimiter: false, ...parameters },
  } as Partial<ProxyBalancer> as ProxyBalancer
  const headersIn = { get: () => cookie } as Partial<Request['headersIn']> as Request['headersIn']
  return sessionRoute(balancer, { headersIn } as Partial<Request> as Request, url)?.route ?? null
}

t.test('the route follows the first separator, in the URL or in the cookie', async (t) => {
  t.equal(routeOf('balancer://x/p', 'SID=abc.two'), 'two')
  t.equal(routeOf('balancer://x/p', 'a=1; SID=a.b.two; z=1'), 'b.two')
  t.equal(routeOf('balancer://x/p', 'XSID=abc.two'), null)
  t.equal(routeOf('balancer://x/p', 'SID='), null)
  t.equal(routeOf('balancer://x/p', 'SID=two'), null)
  t.equal(routeOf('balancer://x/p', 'SID=two', { stickySeparator: null }), 'two')
  t.equal(routeOf('balancer://x/p?a=1&sid=x.one', 'SID=abc.two'), 'one', 'the URL comes first')
  t.equal(routeOf('balancer://x/p;sid=x.one/more', ''), 'one/more')
  t.equal(routeOf('balancer://x/p;sid=x.one;more', '', { scolonPathDelimiter: true }), 'one')
})

function member(route: string, redirect = '', status = 0): ProxyMember {
  const usable = (status & proxyWorkerStates.disabled) === 0
  return { route, redirect, status, isUsable: usable, retry: () => true, name: route } as Partial<ProxyMember> as ProxyMember
}

t.test('a member that cannot serve redirects its sessions, and members that redirect to each other end the search', async (t) => {
  const { disabled, hotStandby } = proxyWorkerStates
  const find = (members: ProxyMember[], route: string): string | null =>
    memberOfRoute({ members } as Partial<ProxyBalancer> as ProxyBalancer, route)?.name ?? null
  t.equal(find([member('a'), member('b')], 'b'), 'b')
  t.equal(find([member('a'), member('b', 'a', disabled)], 'b'), 'a')
  t.equal(find([member('a', 'b', disabled), member('b', 'a', disabled)], 'b'), null)
  t.equal(find([member('a', '', hotStandby)], 'a'), 'a')
  t.equal(find([member('a')], 'x'), null)
})
