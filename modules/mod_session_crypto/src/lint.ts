import type { LintFinding, LintRule, ModuleHost } from '@gatewright/api'
import type { CryptoConfig, CryptoServerConfig } from './config.ts'

/** In characters: what 96 random bits take in Base64. */
const SHORTEST = 16

/** Adds the module's rules for `gatewright lint`. */
export function addLintRules(host: ModuleHost<CryptoConfig, CryptoServerConfig>): void {
  host.providers.lintRules.add('SESSION003', weakPassphrase(host))
}

/** SESSION003: a passphrase that can be guessed, or that is missing. */
function weakPassphrase({ placedConfigs }: ModuleHost<CryptoConfig, CryptoServerConfig>): LintRule {
  return {
    about: 'a weak or missing passphrase of sessions',
    severity: 'warning',
    isHint: true,
    find: (configuration) =>
      placedConfigs().flatMap(({ config: { passphrases }, section }): readonly LintFinding[] => {
        if (passphrases === undefined) return []
        const [line] = ['SessionCryptoPassphrase', 'SessionCryptoPassphraseFile'].flatMap((directive) => [
          ...configuration.linesOf(section, directive),
          ...(section.kind === 'server' ? configuration.linesOf(section.server, directive) : []),
        ])
        const place = { file: line?.file ?? section.file, line: line?.line ?? section.line }
        if (passphrases.length === 0 || passphrases.includes(null)) {
          return [
            {
              ...place,
              severity: 'error',
              message: 'there is no passphrase, so sessions are not kept',
              hint: 'let the program print the passphrase as its first line and end with status 0, or fill the file',
            },
          ]
        }
        if (passphrases.every((passphrase) => passphrase !== null && passphrase.length >= SHORTEST)) return []
        return [
          {
            ...place,
            message: `a passphrase of sessions is shorter than ${SHORTEST} characters: an attacker who guesses it can write sessions`,
            hint: 'make one with `openssl rand -base64 24`, and keep it in a file that SessionCryptoPassphraseFile names',
          },
        ]
      }),
  }
}
