import type { ConfigNode } from '@gatewright/config'
import { ConfigError } from '../base/config-error.ts'
import type { BindContext, BindError } from '../config/bind-context.ts'
import { bindNodes } from '../config/binder.ts'
import type { ConfigServicesImpl } from '../config/config-services.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import { type HtaccessRules, htaccessContext, htaccessSection, readHtaccess } from './read-htaccess.ts'

/**
 * All mistakes of a .htaccess file. A request ends with the first mistake, but the author needs to see all of
 * them.
 */
export function htaccessMistakes(
  configuration: ServerConfiguration,
  services: ConfigServicesImpl,
  rules: HtaccessRules,
  text: string,
): readonly BindError[] {
  const section = htaccessSection(rules)
  const nodes: ConfigNode[] = []
  const mistakes: BindError[] = []
  const bind: BindContext['bind'] = (children, context) => {
    for (const node of children) {
      const before = mistakes.length
      const error = bindNodes([node], context)
      // The error of a container may be caused only by errors in its lines.
      if (error !== undefined && mistakes.length === before) mistakes.push(error)
    }
    return undefined
  }
  let unreadable: BindError | undefined
  try {
    for (const _ of readHtaccess(configuration, services, { ...rules, text, section, nodes }));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    unreadable = { message: error.message, file: error.file, line: error.line, hint: error.hint }
  }
  bind(nodes, htaccessContext(configuration, services, { ...rules, section, bind }))
  return unreadable === undefined ? mistakes : [...mistakes, unreadable]
}
