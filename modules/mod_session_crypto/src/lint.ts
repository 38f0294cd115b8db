import type { LintedLine, LintFinding, LintRule, ModuleHost, SectionInfo, Server } from '@gatewright/api'
import type { CryptoConfig, CryptoServerConfig } from './config.ts'

/** In characters: what 96 random bits take in Base64. */
const SHORTEST = 16

/** Adds the module's rules for `gatewright lint`. */
export function addLintRules(host: ModuleHost<CryptoConfig, CryptoServerConfig>): void {
  host.providers.lintRules.add('SESSION003', weakPassphrase(host))
}

const DIRECTIVES: readonly string[] = ['SessionCryptoPassphrase', 'SessionCryptoPassphraseFile']

/** SESSION003: a passphrase that can be guessed, or that is missing. */
function weakPassphrase({ placedConfigs, defaultsOf }: ModuleHost<CryptoConfig, CryptoServerConfig>): LintRule {
  return {
    about: 'a weak or missing passphrase of sessions',
    severity: 'warning',
    isHint: true,
    find: (configuration) => {
      const firstLine = (scope: Server | SectionInfo): LintedLine | undefined =>
        DIRECTIVES.flatMap((directive) => [...configuration.linesOf(scope, directive)])[0]
      const ofServers = configuration.servers.flatMap((server): readonly LintFinding[] => {
        const line = firstLine(server)
        return line === undefined ? [] : findingsIn(defaultsOf(server), line)
      })
      const ofSections = placedConfigs()
        .filter(({ section }) => section.kind !== 'server')
        .flatMap(({ config, section }) => findingsIn(config, firstLine(section) ?? section))
      return [...ofServers, ...ofSections]
    },
  }
}

function findingsIn({ passphrases }: CryptoConfig, { file, line }: Pick<LintedLine, 'file' | 'line'>): readonly LintFinding[] {
  if (passphrases === undefined) return []
  if (passphrases.length === 0 || passphrases.includes(null)) {
    return [
      {
        file,
        line,
        severity: 'error',
        message: 'there is no passphrase, so sessions are not kept',
        hint: 'let the program print the passphrase as its first line and end with status 0, or fill the file',
      },
    ]
  }
  if (passphrases.every((passphrase) => passphrase !== null && passphrase.length >= SHORTEST)) return []
  return [
    {
      file,
      line,
      message: `a passphrase of sessions is shorter than ${SHORTEST} characters: an attacker who guesses it can write sessions`,
      hint: 'make one with `openssl rand -base64 24`, and keep it in a file that SessionCryptoPassphraseFile names',
    },
  ]
}
