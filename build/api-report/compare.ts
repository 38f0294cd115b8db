import ts from 'typescript'
import type { EntryNames } from './report-file.ts'
import { SUPPLIED_TAG } from './surface.ts'

/**
 * One difference between two surfaces: `breaking` if a module that was written for the old one may fail with
 * the new one.
 */
export interface SurfaceChange {
  readonly kind: 'breaking' | 'added'
  /** `removed: Request.hasOption(option: OptionName): boolean` */
  readonly text: string
}

/** Lists the differences between two surfaces in the form of `surfaceOf`. */
export function compareSurfaces(accepted: string, current: string): SurfaceChange[] {
  const before = parse(accepted)
  const after = parse(current)
  const changes: SurfaceChange[] = []
  for (const [name, old] of before) {
    const now = after.get(name)
    if (now !== undefined) changes.push(...compareDeclarations(name, old, now))
    // A declaration that is not exported counts only through the ones that use it.
    else if (old.exported) changes.push({ kind: 'breaking', text: `removed: ${name}` })
  }
  for (const [name, { exported }] of after)
    if (exported && !before.get(name)?.exported) changes.push({ kind: 'added', text: `added: ${name}` })
  return changes
}

/** Lists the differences between the names that entries export, because modules import names from entries. */
export function compareEntries(accepted: EntryNames, current: EntryNames): SurfaceChange[] {
  const lacking = (from: EntryNames, to: EntryNames): string[] =>
    Object.entries(from).flatMap(([entry, names]) =>
      names.filter((name) => to[entry]?.includes(name) !== true).map((name) => `${entry}: ${name}`),
    )
  return [
    ...lacking(accepted, current).map((text): SurfaceChange => ({ kind: 'breaking', text: `removed from ${text}` })),
    ...lacking(current, accepted).map((text): SurfaceChange => ({ kind: 'added', text: `added to ${text}` })),
  ]
}

/** A declaration, split into parts that may be added and removed independently. */
interface Shape {
  /** Everything but the parts: kind, name, type parameters, base types. */
  readonly head: string
  readonly exported: boolean
  readonly supplied: boolean
  readonly parts: readonly Part[]
}

interface Part {
  /**
   * The common key of parts with the same name: `lookupUri`, `()` for calls; '' for the members of a union.
   */
  readonly key: string
  readonly text: string
  readonly optional: boolean
  readonly signature: Signature | null
}

interface Signature {
  readonly parameters: readonly { readonly text: string; readonly optional: boolean }[]
  /** All but the parameters. */
  readonly rest: string
}

function compareDeclarations(name: string, old: Shape, now: Shape): SurfaceChange[] {
  if (old.head !== now.head) return [{ kind: 'breaking', text: `changed: ${old.head}\n      to: ${now.head}` }]
  const changes: SurfaceChange[] = []
  if (old.exported && !now.exported) changes.push({ kind: 'breaking', text: `removed: ${name} is no longer exported` })
  const matched = new Set<Part>()
  for (const part of old.parts) {
    const same = now.parts.find((one) => one.key === part.key && one.text === part.text)
    const next = same ?? now.parts.find((one) => one.key === part.key && part.key !== '' && !matched.has(one))
    if (next !== undefined) matched.add(next)
    const written = `${name}: ${part.text}`
    if (next === undefined) changes.push({ kind: 'breaking', text: `removed: ${written}` })
    else if (next !== same) {
      const kind =
        isExtension(part, next) ||
        refusesPromises(part, next) ||
        acceptsProblems(part, next) ||
        (now.supplied && isMadeOptional(part, next))
          ? 'added'
          : 'breaking'
      changes.push({ kind, text: `changed: ${written}\n      to: ${name}: ${next.text}` })
    }
  }
  if (old.supplied && !now.supplied)
    changes.push({ kind: 'breaking', text: `changed: ${name} is no longer marked as made by modules` })
  for (const part of now.parts) {
    if (matched.has(part)) continue
    const must = now.supplied && !part.optional
    changes.push({
      kind: must ? 'breaking' : 'added',
      text: `${must ? 'added, and modules must have it' : 'added'}: ${name}: ${part.text}`,
    })
  }
  return changes
}

/** Whether the only change is optional parameters at the end. */
function isExtension({ signature: old }: Part, { signature: now }: Part): boolean {
  if (old === null || now === null || old.rest !== now.rest || now.parameters.length <= old.parameters.length) return false
  return now.parameters.every((parameter, index) => {
    const known = old.parameters[index]
    return known === undefined ? parameter.optional : known.text === parameter.text
  })
}

/**
 * Whether the only change is that a synchronous function of modules must not return a promise: an async
 * function never worked there. Modules built with one are still loaded.
 */
function refusesPromises({ signature: old }: Part, { signature: now }: Part): boolean {
  if (old === null || now === null || !old.rest.endsWith(' void')) return false
  const sameParameters = JSON.stringify(old.parameters) === JSON.stringify(now.parameters)
  return sameParameters && now.rest === old.rest.replace(/ void$/, ' NoPromise')
}

/**
 * Whether the only change is that a function of modules may return a Problem instead of a text; returning
 * texts still works.
 */
function acceptsProblems({ signature: old }: Part, { signature: now }: Part): boolean {
  if (old === null || now === null) return false
  const sameParameters = JSON.stringify(old.parameters) === JSON.stringify(now.parameters)
  return sameParameters && now.rest !== old.rest && now.rest.replace(/\bProblem \| |\| Problem\b ?/, '').trim() === old.rest
}

function isMadeOptional(old: Part, now: Part): boolean {
  return now.optional && !old.optional && now.text.replace('?', '') === old.text
}

function parse(text: string): Map<string, Shape> {
  const source = ts.createSourceFile('surface.d.ts', text, ts.ScriptTarget.ES2024, true, ts.ScriptKind.TS)
  const shapes = new Map<string, Shape>()
  for (const statement of source.statements) {
    const { name, shape } = shapeOf(statement, source)
    const known = shapes.get(name)
    // Overloads of a function are parts of one declaration.
    shapes.set(name, known === undefined ? shape : { ...known, parts: [...known.parts, ...shape.parts] })
  }
  return shapes
}

function shapeOf(statement: ts.Statement, source: ts.SourceFile): { name: string; shape: Shape } {
  const exported = oneLine(statement.getText(source)).startsWith('export ')
  const supplied = ts.getJSDocTags(statement).some(({ tagName }) => tagName.text === SUPPLIED_TAG)
  const { name, head, parts } = partsOf(statement, source)
  return { name, shape: { head: head.replace(/^export /, ''), exported, supplied, parts } }
}

function partsOf(statement: ts.Statement, source: ts.SourceFile): { name: string; head: string; parts: readonly Part[] } {
  const whole = oneLine(statement.getText(source))
  const headUpTo = (end: number): string => oneLine(source.text.slice(statement.getStart(source), end))
  if (ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement)) {
    const { members, name } = statement
    return {
      name: name?.text ?? '',
      head: headUpTo(members.pos),
      parts: [...members].map((member: ts.TypeElement | ts.ClassElement) => partOf(member, source)),
    }
  }
  if (ts.isFunctionDeclaration(statement)) {
    const name = statement.name?.text ?? ''
    const text = whole.replace(/^export declare |;$/g, '')
    return {
      name,
      head: `function ${name}`,
      parts: [{ key: '()', text, optional: false, signature: signatureOf(statement, source) }],
    }
  }
  if (ts.isTypeAliasDeclaration(statement)) {
    const { type } = statement
    return { name: statement.name.text, head: headUpTo(type.pos), parts: partsOfType(type, source) }
  }
  if (ts.isVariableStatement(statement)) {
    const [{ name, type }] = statement.declarationList.declarations
    const text = name.getText(source)
    if (type === undefined || !ts.isTypeLiteralNode(type)) return { name: text, head: whole, parts: [] }
    return { name: text, head: `const ${text}`, parts: type.members.map((member) => partOf(member, source)) }
  }
  throw new Error(`a declaration of a kind that reports do not have: ${whole}`)
}

function partsOfType(type: ts.TypeNode, source: ts.SourceFile): Part[] {
  const part = (one: ts.TypeNode, key: string): Part => ({
    key,
    text: oneLine(one.getText(source)),
    optional: false,
    signature: callOf(one, source),
  })
  if (ts.isUnionTypeNode(type)) return type.types.map((one) => part(one, ''))
  return [part(type, ts.isFunctionTypeNode(type) ? '()' : '')]
}

function partOf(member: ts.TypeElement | ts.ClassElement, source: ts.SourceFile): Part {
  const text = oneLine(member.getText(source)).replace(/;$/, '')
  const name = member.name?.getText(source) ?? '()'
  const isStatic = ts.isClassElement(member) && (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0
  const optional = (ts.isPropertySignature(member) || ts.isMethodSignature(member)) && member.questionToken !== undefined
  const isCall = ts.isMethodSignature(member) || ts.isMethodDeclaration(member) || ts.isCallSignatureDeclaration(member)
  const type = ts.isPropertySignature(member) ? member.type : undefined
  const inner = isCall ? signatureOf(member, source) : callOf(type, source)
  const signature = inner === null ? null : { ...inner, rest: `${optional ? '?' : ''}${name} ${inner.rest}` }
  return { key: isStatic ? `static ${name}` : name, text, optional, signature }
}

/** The signature of a function type; null of any other. */
function callOf(type: ts.TypeNode | undefined, source: ts.SourceFile): Signature | null {
  return type !== undefined && ts.isFunctionTypeNode(type) ? signatureOf(type, source) : null
}

function signatureOf(node: ts.SignatureDeclarationBase, source: ts.SourceFile): Signature {
  return {
    parameters: node.parameters.map((one) => ({
      text: oneLine(one.getText(source)),
      optional: one.questionToken !== undefined || one.dotDotDotToken !== undefined,
    })),
    rest: oneLine(`<${node.typeParameters?.map((one) => one.getText(source)).join() ?? ''}> ${node.type?.getText(source) ?? ''}`),
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
