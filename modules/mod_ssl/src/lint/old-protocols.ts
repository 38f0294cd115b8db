import type { LintedConfiguration, LintedLine, LintRule, Server } from '@gatewright/api'

/** Versions that RFC 8996 forbids. */
const OLD: ReadonlySet<string> = new Set(['tlsv1', 'tlsv1.1', 'sslv3'])
const DIRECTIVES = ['SSLProtocol', 'SSLProxyProtocol'] as const
const HINT = 'write SSLProtocol -all +TLSv1.2 +TLSv1.3, or remove the line: clients that need older versions are no longer in use'

/** A version of TLS before 1.2 that a line enables by its name. */
export function oldProtocols(): LintRule {
  return {
    about: 'an old version of TLS that a line enables',
    severity: 'warning',
    find: (configuration) =>
      configuration.servers.flatMap((server) =>
        linesOf(configuration, server).flatMap((line) => {
          const names = enabledBy(line, configuration.words(line.text))
          if (names.length === 0) return []
          const message = `${line.name} enables ${names.join(' and ')}, which RFC 8996 forbids: its signatures depend on MD5 and SHA-1`
          return [{ file: line.file, line: line.line, message, hint: HINT.replace('SSLProtocol', line.name) }]
        }),
      ),
  }
}

function linesOf(configuration: LintedConfiguration, server: Server): readonly LintedLine[] {
  const commands = configuration.linesOf(server, 'SSLOpenSSLConfCmd')
  return [...DIRECTIVES.flatMap((directive) => configuration.linesOf(server, directive)), ...commands]
}

/** `all` is not meant: what it enables depends on the library. */
function enabledBy({ name }: LintedLine, words: readonly string[]): readonly string[] {
  if (name.toLowerCase() === 'sslopensslconfcmd') return enabledByCommand(words)
  let enabled: string[] = []
  for (const word of words) {
    const sign = /^[+-]/.exec(word)?.[0] ?? ''
    const version = word.slice(sign.length)
    if (sign === '-') enabled = version.toLowerCase() === 'all' ? [] : enabled.filter((one) => !isSame(one, version))
    else if (sign === '+') enabled.push(version)
    // A word without sign replaces those before it.
    else enabled = [version]
  }
  return enabled.filter((version) => OLD.has(version.toLowerCase()))
}

function enabledByCommand([command = '', value = '']: readonly string[]): readonly string[] {
  switch (command.toLowerCase()) {
    case 'minprotocol':
      return OLD.has(value.toLowerCase()) ? [value] : []
    case 'protocol':
      return value.split(',').flatMap((word) => {
        const version = word.trim().replace(/^\+/, '')
        return OLD.has(version.toLowerCase()) ? [version] : []
      })
  }
  return []
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
