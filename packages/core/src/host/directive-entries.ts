import type { AnyDirective, Context, DirectiveKind, Override } from '@gatewright/api'
import { requiredBits } from '../base/context-bits.ts'
import type { BoundConfiguration } from './bound-configuration.ts'

/** A directive as data, for tools: what `-L --json` prints. */
export interface DirectiveEntry {
  /** As the module spells it; containers begin with `<`. */
  readonly name: string
  /** `alias_module` */
  readonly module: string
  /** `mod_alias.c` */
  readonly source: string
  /** The kind of its arguments, such as `take12` or `flag`. */
  readonly arguments: DirectiveKind
  readonly context: readonly Context[]
  /** The classes of AllowOverride that admit it in .htaccess files; none if no class does. */
  readonly override: readonly Override[]
  /** One line, null if the module has none. */
  readonly help: string | null
  /** Whether it changes anything: a directive without effect is accepted for existing configurations only. */
  readonly hasEffect: boolean
}

/** Every directive of the loaded modules, in the order of `-L`. */
export function directiveEntries({ modules }: BoundConfiguration): DirectiveEntry[] {
  return modules.flatMap(({ name: module, source, directives }) =>
    Object.entries(directives).map(([name, spec]) => ({
      name: spelled(name, spec),
      module,
      source,
      arguments: spec.kind,
      context: spec.context,
      override: admitting(spec),
      help: spec.help ?? null,
      hasEffect: spec.effect !== 'none',
    })),
  )
}

/** httpd declares some names in lower case or misspelt; the key is the name that manuals use. */
function spelled(name: string, { declaredAs }: AnyDirective): string {
  return name === name.toLowerCase() ? (declaredAs ?? name) : name
}

function admitting(spec: AnyDirective): readonly Override[] {
  if (!spec.context.includes('htaccess') || spec.override === undefined || requiredBits(spec) === 0) return []
  return [spec.override].flat()
}
