import { MethodSet } from '@gatewright/api'
import { OR_ALL, SERVER_OFFERS } from '../base/context-bits.ts'
import { problemOf } from '../base/problem.ts'
import type { OverrideGrant } from '../model/directory-config.ts'
import { Section } from '../model/section.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import type { SkippedBody } from '../model/skipped-body.ts'
import type { LoadedModule } from '../modules/registry.ts'
import { applyDirective, isNestedError } from './arguments.ts'
import type { BindContext } from './bind-context.ts'
import { bindNodes, reportForbidden } from './binder.ts'
import { CommandImpl } from './command-impl.ts'
import type { ConfigServicesImpl } from './config-services.ts'
import { guardSetter } from './guard-setter.ts'
import type { ReadContext } from './reader.ts'

/** Connects the reader of lines with a configuration: variables, read-time directives, conditions. */
export function createReadContext(
  configuration: ServerConfiguration,
  services: ConfigServicesImpl,
  place: { readonly htaccess: OverrideGrant | null; readonly skippedBodies: SkippedBody[] },
): ReadContext {
  const offers = place.htaccess === null ? SERVER_OFFERS | OR_ALL : place.htaccess.bits
  const section =
    configuration.main.defaults ??
    new Section(
      {
        kind: 'server',
        title: '',
        argument: '',
        file: configuration.options.configFile,
        line: 0,
        parent: null,
        server: configuration.main,
        sequence: 0,
      },
      null,
    )
  const context: BindContext = {
    configuration,
    services,
    section,
    server: configuration.main,
    offers,
    limited: MethodSet.ALL,
    narrowed: false,
    grant: place.htaccess,
    overrideList: null,
    bind: bindNodes,
  }
  const own = new Map<LoadedModule, unknown>()
  /**
   * Values of read-time directives belong to the main server; those of a .htaccess file are kept only while
   * the file is read.
   */
  const slotOf = (owner: LoadedModule): unknown => {
    if (place.htaccess === null) return configuration.main.slot(owner)
    if (!own.has(owner)) own.set(owner, owner.module.perServer?.create())
    return own.get(owner)
  }
  return {
    variables: configuration.defines,
    directive: (name) => configuration.registry.directive(name),
    readFile: (path) => configuration.options.source.read(path),
    skipped: (body) => place.skippedBodies.push(body),
    included: (path, from) => {
      configuration.includes.push({ path, from, depth: from === null ? 0 : depthOf(configuration, from.file) + 1 })
    },
    execute(found, node) {
      for (const bound of found) {
        // Read-time directives are checked against the file's own context, regardless of the surrounding
        // section.
        if ((bound.required & offers) === 0) {
          if (place.htaccess?.nonfatalOverride !== true) return { message: `${bound.name} not allowed here` }
          reportForbidden(configuration, bound.name)
          continue
        }
        const result = guardSetter(bound, () =>
          applyDirective(bound.spec, bound.name, slotOf(bound.owner), node.text, new CommandImpl(bound, node, context)),
        )
        if (result !== undefined) return isNestedError(result) ? result : problemOf(result)
      }
      return configuration.takeEffects()
    },
    define(bound, node, nextLine) {
      if ((bound.required & offers) === 0) return { message: `${bound.name} not allowed here` }
      const { spec } = bound
      if (spec.kind !== 'definition') return undefined
      const set = spec.scope === 'directory' ? spec.setDirectory : spec.setServer
      const result = guardSetter(bound, () =>
        set(slotOf(bound.owner) as never, node.text, nextLine, new CommandImpl(bound, node, context)),
      )
      if (typeof result === 'object' && isNestedError(result)) return result
      return result ? problemOf(result) : undefined
    },
    decide(bound, node) {
      if ((bound.required & offers) === 0) return { message: `${bound.name} not allowed here` }
      const { spec } = bound
      if (spec.kind !== 'condition') return false
      const command = new CommandImpl(bound, node, context)
      const set = spec.scope === 'directory' ? spec.setDirectory : spec.setServer
      const result = guardSetter(bound, () => set(slotOf(bound.owner) as never, node.text, command))
      return typeof result === 'boolean' ? result : problemOf(result)
    },
  }
}

function depthOf(configuration: ServerConfiguration, file: string): number {
  return configuration.includes.find(({ path }) => path === file)?.depth ?? 0
}
