import type { LintedConfiguration, LintFinding, LintRule, OptionalFunctions, SectionInfo } from '@gatewright/api'
import { requireSectionsOf } from '@gatewright/api/peers'

/** PROXY001: a server that passes requests of anybody on to any other server. */
export function openProxyRule(functions: OptionalFunctions): LintRule {
  return {
    about: 'a forward proxy without access rules',
    severity: 'error',
    isHint: true,
    find: (configuration) => {
      const guarded = guardedSections(configuration, functions)
      return configuration.servers.flatMap((server) => {
        const line = configuration.linesOf(server, 'ProxyRequests').at(-1)
        if (line === undefined || !/^on\b/i.test(line.text.trim())) return []
        const isGuarded = guarded.some((section) => section.server === server || !section.server.isVirtual)
        return isGuarded ? [] : [finding(line.file, line.line)]
      })
    },
  }
}

function finding(file: string, line: number): LintFinding {
  return {
    file,
    line,
    message: 'ProxyRequests On lets everybody who reaches this server use it as a proxy to any other server',
    hint: 'for a gateway to own applications, remove the line: ProxyPass does not need it. Otherwise name the clients in <Proxy "*"> with Require',
  }
}

/** The `<Proxy>` sections with rules that do not admit everybody. */
function guardedSections(configuration: LintedConfiguration, functions: OptionalFunctions): readonly SectionInfo[] {
  const requiring = functions.get(requireSectionsOf)?.() ?? []
  return configuration.sections.filter((section) => {
    if (section.kind !== 'Proxy' && section.kind !== 'ProxyMatch') return false
    if (requiring.some((one) => one.section === section && one.requires && !one.grantsAll)) return true
    return configuration.linesOf(section, 'Deny').length > 0 || configuration.linesOf(section, 'Allow').length > 0
  })
}
