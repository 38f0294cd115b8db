import type { SectionInfo } from '@gatewright/api'
import { mergeOptions, NO_OPTIONS } from './options.ts'
import { keepProxySection } from './outgoing/proxy-sections.ts'
import type { SectionSettings, ServerSettings } from './settings.ts'

/** As many files as a virtual host replaces of the main server's: one of each kind of key that httpd 2.2 knew. */
const REPLACED = 3

export function createServerSettings(): ServerSettings {
  return { process: {}, certificateFiles: [], keyFiles: [], confCommands: [], ocsp: {}, stapling: {} }
}

export function createSectionSettings(section: SectionInfo | null = null): SectionSettings {
  const settings = { requireSsl: false, requirements: [], options: NO_OPTIONS, server: {}, proxy: {} }
  if (section !== null) keepProxySection(section, settings)
  return settings
}

/** A virtual host over the main server: what it does not set is inherited, value by value. */
export function mergeServerSettings(base: Readonly<ServerSettings>, over: Readonly<ServerSettings>): ServerSettings {
  return {
    ...inherit(base, over),
    process: base.process,
    certificateFiles: mergeFiles(base.certificateFiles, over.certificateFiles),
    keyFiles: mergeFiles(base.keyFiles, over.keyFiles),
    confCommands: [...base.confCommands, ...over.confCommands],
    ocsp: inherit(base.ocsp, over.ocsp),
    stapling: inherit(base.stapling, over.stapling),
  }
}

/** A section over those around it. SSLRequire adds up, and SSLRequireSSL stays. */
export function mergeSectionSettings(base: Readonly<SectionSettings>, over: Readonly<SectionSettings>): SectionSettings {
  return {
    ...inherit(base, over),
    requireSsl: base.requireSsl || over.requireSsl,
    requirements: over.requirements.length === 0 ? base.requirements : [...base.requirements, ...over.requirements],
    options: mergeOptions(base.options, over.options),
    server: inherit(base.server, over.server),
    proxy: inherit(base.proxy, over.proxy),
  }
}

/** What `over` sets, and otherwise `base`. */
function inherit<T extends object>(base: Readonly<T>, over: Readonly<T>): T {
  const own = Object.entries(over).filter(([, value]) => value !== undefined)
  return Object.assign({}, base, Object.fromEntries(own))
}

/** The first few files of a virtual host, or their lines, replace those of the main server; the others follow them. */
export function mergeFiles<T>(base: readonly T[], over: readonly T[]): readonly T[] {
  const first = over.slice(0, REPLACED)
  return [...first, ...base.slice(first.length), ...over.slice(REPLACED)]
}
