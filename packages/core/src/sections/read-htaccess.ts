import { MethodSet } from '@gatewright/api'
import { type ConfigNode, MAX_HTACCESS_LINE } from '@gatewright/config'
import { ConfigError } from '../base/config-error.ts'
import type { BindContext } from '../config/bind-context.ts'
import type { ConfigServicesImpl } from '../config/config-services.ts'
import { createReadContext } from '../config/read-context.ts'
import { readText } from '../config/reader.ts'
import type { OverrideGrant } from '../model/directory-config.ts'
import { Section } from '../model/section.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import type { ServerRecord } from '../model/server-record.ts'

/** A .htaccess file, and what AllowOverride and AllowOverrideList permit in it. */
export interface HtaccessRules {
  readonly path: string
  readonly server: ServerRecord
  readonly grant: OverrideGrant
  readonly list: ReadonlySet<string> | null
}

/** The section that a .htaccess file defines. */
export function htaccessSection({ path, server }: HtaccessRules): Section {
  const origin = {
    kind: '.htaccess',
    title: path,
    argument: path,
    file: path,
    line: 0,
    parent: null,
    server,
    sequence: 0,
  } as const
  return new Section(origin, null)
}

/**
 * Appends the lines of a file to `nodes`, up to the first error, and yields regularly, so that a caller can
 * give way to other work.
 * @throws ConfigError
 */
export function* readHtaccess(
  configuration: ServerConfiguration,
  services: ConfigServicesImpl,
  file: HtaccessRules & { readonly text: string; readonly section: Section; readonly nodes: ConfigNode[] },
): Generator<void, void, void> {
  const { path, text, grant, section, nodes } = file
  const context = createReadContext(configuration, services, { htaccess: grant, skippedBodies: section.skippedBodies })
  const reading = readText(context, path, text, nodes, null, 0, MAX_HTACCESS_LINE)
  for (const pause of reading) {
    // A .htaccess file must not contain anything asynchronous.
    if (pause !== null) throw new ConfigError('read', path, 0, 'LoadModule not allowed here')
    yield
  }
}

/** The context of the lines of a file while they are applied. */
export function htaccessContext(
  configuration: ServerConfiguration,
  services: ConfigServicesImpl,
  file: HtaccessRules & { readonly section: Section; readonly bind: BindContext['bind'] },
): BindContext {
  const { server, grant, list, section, bind } = file
  return {
    configuration,
    services,
    section,
    server,
    offers: grant.bits,
    limited: MethodSet.ALL,
    narrowed: false,
    grant,
    overrideList: list,
    bind,
  }
}
