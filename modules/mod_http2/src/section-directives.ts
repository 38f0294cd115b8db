import {
  type Command,
  contexts,
  type Directive,
  type DirectiveTable,
  directive,
  type Override,
  type SetResult,
} from '@gatewright/api'
import { readSwitch } from './server-directives.ts'
import type { Announcements, SectionConfig, ServerConfig } from './settings.ts'

const NOT_A_SWITCH = 'value must be On or Off'
const ANYWHERE = { scope: 'directory', context: contexts.anywhere } as const

/** Directives of sections and .htaccess files. */
export const sectionDirectives: DirectiveTable<SectionConfig, ServerConfig> = {
  H2Upgrade: switchDirective('on to allow HTTP/1 Upgrades to h2/h2c', 'AuthConfig', (config, isOn) => {
    config.upgrade = isOn
  }),
  H2Push: switchDirective('off to disable HTTP/2 server push', 'AuthConfig', (config, isOn) => {
    config.push = isOn
  }),
  H2CopyFiles: ignoredSwitch('on to perform copy of file data'),
  H2ProxyRequests: switchDirective('Enables forward proxy requests via HTTP/2', 'FileInfo', (config, isOn) => {
    config.proxyRequests = isOn
  }),
  H2PushResource: directive.take123({
    ...ANYWHERE,
    override: ['AuthConfig', 'FileInfo'],
    help: 'add a resource to be pushed in this location/on this server.',
    set: addResource,
  }),
  H2EarlyHint: directive.take2({
    ...ANYWHERE,
    override: ['AuthConfig', 'FileInfo'],
    help: "add a a 'Link:' header for a 103 Early Hints response.",
    set: (config: SectionConfig, name, value, command) => {
      announce(config, command, ({ resources, hints }) => ({ resources, hints: [...hints, [name, value]] }))
      return undefined
    },
  }),
}

/** `[add] target [critical]` */
function addResource(
  config: SectionConfig,
  first: string,
  second: string | undefined,
  third: string | undefined,
  command: Command,
): SetResult {
  const isAdded = first.toLowerCase() === 'add'
  const target = isAdded ? second : first
  const last = isAdded ? third : second
  if (target === undefined || (!isAdded && third !== undefined)) return 'unknown last parameter'
  if (last !== undefined && last.toLowerCase() !== 'critical') return 'unknown last parameter'
  announce(config, command, ({ resources, hints }) => ({
    resources: [...resources, { target, isCritical: last !== undefined }],
    hints,
  }))
  return undefined
}

/** Adds to what the line's place announces. */
function announce(config: SectionConfig, { section }: Command, added: (before: Announcements) => Announcements): void {
  if (section.kind === 'server' || section.kind === 'VirtualHost') config.ofServer = added(config.ofServer)
  else config.ofSections = added(config.ofSections)
}

type SectionRow = Directive<SectionConfig, ServerConfig>

function switchDirective(help: string, override: Override, set: (config: SectionConfig, isOn: boolean) => void): SectionRow {
  return directive.take1({
    ...ANYWHERE,
    override,
    help,
    set: (config: SectionConfig, word) => {
      const isOn = readSwitch(word)
      if (isOn === null) return NOT_A_SWITCH
      set(config, isOn)
      return undefined
    },
  })
}

function ignoredSwitch(help: string): SectionRow {
  return directive.take1({
    ...ANYWHERE,
    override: 'FileInfo',
    help,
    effect: 'none',
    set: (_config: SectionConfig, word) => (readSwitch(word) === null ? NOT_A_SWITCH : undefined),
  })
}
