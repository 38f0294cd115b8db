import type { LintedConfiguration, OptionalFunctions, SectionInfo, Server } from '@gatewright/api'
import t from 'tap'
import { openProxyRule } from '../src/lint-open-proxy.ts'

const functions: OptionalFunctions = { offer: () => {}, get: () => undefined }
const server = { isVirtual: false } as Partial<Server> as Server

/** A configuration with these lines of the server, and those of one `<Proxy>` section. */
function configured(ofServer: Record<string, string>, ofSection: Record<string, string> | null): LintedConfiguration {
  const section = { kind: 'Proxy', server } as Partial<SectionInfo> as SectionInfo
  return {
    servers: [server],
    sections: ofSection === null ? [] : [section],
    now: 0,
    linesOf: (scope, name) => {
      const text = (scope === server ? ofServer : (ofSection ?? {}))[name]
      return text === undefined ? [] : [{ name, text, file: '/conf', line: 3 }]
    },
    words: (text) => text.split(' '),
  }
}

t.test('a forward proxy without rules is an error, with its line', async (t) => {
  const [found, ...more] = openProxyRule(functions).find(configured({ ProxyRequests: 'On' }, null))
  t.match(found, { file: '/conf', line: 3, message: /ProxyRequests On lets everybody/ })
  t.same(more, [])
  t.equal(openProxyRule(functions).find(configured({ ProxyRequests: 'On' }, {})).length, 1, 'an empty section is no rule')
})

t.test('a closed proxy, and one with rules, is not reported', async (t) => {
  t.same(openProxyRule(functions).find(configured({}, null)), [])
  t.same(openProxyRule(functions).find(configured({ ProxyRequests: 'Off' }, null)), [])
  t.same(openProxyRule(functions).find(configured({ ProxyRequests: 'On' }, { Deny: 'from all' })), [])
})
