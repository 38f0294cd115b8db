import type { SurfaceChange } from './compare.ts'

/**
 * Changes of types that refuse what never worked as intended, so that authors notice it; modules that were built with
 * the former types and work are loaded as before. Each line is what `api:check` says about it.
 */
const NARROWED: ReadonlySet<string> = new Set([
  // A container whose key lacks `<` never got its lines, and before there are sections no directive has their configuration.
  'changed: type Directive<D, S> =\n      to: type Directive<D, S, K extends DirectiveKind = LineKind> =',
  "changed: DirectiveCommon: readonly readTime?: boolean\n      to: DirectiveCommon: readonly readTime?: S extends 'server' ? boolean : false",
  'removed: DirectiveTable: Readonly<Record<string, Directive<D, S>>>',
  'removed: AnyDirective: Directive<never, never>',
  'changed: declare const directive: { readonly [K in DirectiveKind]: DirectiveMaker<K>; };\n      to: declare const directive: { readonly [K in DirectiveKind]: K extends ReadContainerKind ? ReadContainerMaker<K> : DirectiveMaker<K>; };',
])

/** The same changes, those of the list as what they are to modules: no break. */
export function withoutNarrowed(changes: readonly SurfaceChange[]): SurfaceChange[] {
  return changes.map((change) => (NARROWED.has(change.text) ? { ...change, kind: 'added' } : change))
}
