import type { LintedConfiguration, LintFinding, LintRule, ModuleHost, SectionInfo, Server } from '@gatewright/api'
import { STRICTNESS, strictnessOf } from '../connections/strictness.ts'
import { DEFAULT_DEPTH } from '../connections/verify-client.ts'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { type EffectiveSettings, effectiveSettings } from '../start/effective-settings.ts'
import { newestVersion } from './newest-version.ts'

interface Secured {
  readonly server: Server
  readonly settings: EffectiveSettings
}

/** A section that demands more of its client than its server does, where TLS 1.3 cannot meet the demand. */
export function strongerSection(host: ModuleHost<SectionSettings, ServerSettings>): LintRule {
  return {
    about: 'a section that demands more of clients than its server, which TLS 1.3 cannot meet',
    severity: 'warning',
    isHint: true,
    find: (configuration) => {
      const all = [...effectiveSettings(host, configuration.servers)].map(([server, settings]) => ({ server, settings }))
      const modern = all.filter(({ settings }) => settings.isOn && newestVersion(settings) === 'TLSv1.3')
      if (modern.length === 0) return []
      return configuration.sections.flatMap((section) => {
        const folder = host.configIn(section)
        return folder === undefined ? [] : findingsIn(configuration, section, folder, modern)
      })
    },
  }
}

function findingsIn(
  configuration: LintedConfiguration,
  section: SectionInfo,
  folder: Readonly<SectionSettings>,
  modern: readonly Secured[],
): readonly LintFinding[] {
  const concerned = serversOf(section, modern)
  const demands = [
    ['SSLVerifyClient', concerned.find(({ settings }) => isStricter(folder, settings))],
    ['SSLVerifyDepth', concerned.find(({ settings }) => isShallower(folder, settings))],
    ['SSLCipherSuite', folder.cipherList === undefined ? undefined : concerned[0]],
  ] as const
  return demands.flatMap(([directive, met]) => {
    if (met === undefined) return []
    const { file, line, text } = configuration.linesOf(section, directive).at(-1) ?? { ...section, text: '' }
    const written = `${directive} ${text}`.trimEnd()
    return [{ file, line, message: messageOf(directive, written, section, met), hint: HINTS[directive] }]
  })
}

const HINTS = {
  SSLVerifyClient:
    'set SSLVerifyClient optional or require for the server, and check the certificate with Require ssl-verify-client in the section; or exclude TLS 1.3 with SSLProtocol all -TLSv1.3',
  SSLVerifyDepth: 'set SSLVerifyDepth for the server, or exclude TLS 1.3 with SSLProtocol all -TLSv1.3',
  SSLCipherSuite: `test the cipher in the section with Require expr "%{SSL_CIPHER} == 'NAME'", or set SSLCipherSuite TLSv1.3 for the server`,
} as const

function messageOf(directive: keyof typeof HINTS, written: string, section: SectionInfo, { settings }: Secured): string {
  const where = `in ${section.title}`
  if (directive === 'SSLCipherSuite')
    return `${written} ${where} has no effect on clients with TLS 1.3, which ${settings.id} accepts: they get in with any cipher`
  const ofServer =
    directive === 'SSLVerifyClient'
      ? `SSLVerifyClient ${settings.authentication.verifyClient ?? 'none'}`
      : `SSLVerifyDepth ${settings.authentication.verifyDepth ?? DEFAULT_DEPTH}`
  return `${written} ${where} is stricter than the server ${settings.id} (${ofServer}): requests with TLS 1.3 get 403 (AH10158), whatever certificate their client has`
}

/** As a request is judged: the mode of the section applies where it is the stricter one. */
function isStricter({ verifyClient }: Readonly<SectionSettings>, { authentication }: EffectiveSettings): boolean {
  return strictnessOf(verifyClient) > strictnessOf(authentication.verifyClient)
}

/** A depth matters where clients are asked for certificates. A stricter mode is reported already. */
function isShallower(folder: Readonly<SectionSettings>, settings: EffectiveSettings): boolean {
  const { verifyClient, verifyDepth = DEFAULT_DEPTH } = settings.authentication
  if (folder.verifyDepth === undefined || strictnessOf(verifyClient) === STRICTNESS.none || isStricter(folder, settings))
    return false
  return folder.verifyDepth < verifyDepth
}

/**
 * The servers whose requests a section can apply to: its own, or all for a section of the main server. A plain
 * `<Directory>` concerns those whose documents are above or below it; if there are none, an alias may lead there from
 * anywhere.
 */
function serversOf(section: SectionInfo, modern: readonly Secured[]): readonly Secured[] {
  if (section.server.isVirtual) return modern.filter(({ server }) => server === section.server)
  const folder = folderOf(section)
  const near = folder === null ? [] : modern.filter(({ server }) => areRelated(folder, server.documentRoot))
  return near.length > 0 ? near : modern
}

/** The folder of a plain section or a .htaccess file; null for other sections. */
function folderOf({ kind, argument, file, parent }: SectionInfo): string | null {
  if (kind === '.htaccess') return file.slice(0, file.lastIndexOf('/'))
  if (kind === 'Directory') return argument.replace(/\/+$/, '')
  return parent === null ? null : folderOf(parent)
}

function areRelated(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`)
}
