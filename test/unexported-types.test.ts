import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { unexportedTypes } from '../build/unexported-types.ts'

const ROOT = join(import.meta.dirname, '..')
const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, ROOT)

t.test('the exports of core lead to no type that core keeps to itself', (t) => {
  const folder = join(ROOT, 'packages/core/src')
  t.same(unexportedTypes(join(folder, 'index.ts'), folder, options), [])
  t.end()
})

t.test('a kept type is found wherever an export exposes it, and not where it is hidden', (t) => {
  const folder = t.testdir({
    'inner.ts': 'export class Inner { readonly name: string = "" }\n',
    'index.ts': `import { Inner } from './inner.ts'
export interface Property { readonly inner: Inner }
export interface Method { list(): Iterable<readonly Inner[]> }
export interface Heir extends Inner { readonly more: 1 }
export type Part = Inner['name']
export function parameter(inner: Inner): void { void inner }
export function result(): Inner | null { return null }
export class Field { readonly inner: Inner | null = null }
export const constant: ReadonlyMap<string, Inner> = new Map()
export class PrivateField { readonly #inner: Inner | null = null\nhas(): boolean { return this.#inner !== null } }
export function body(): string { const inner: Inner | null = new Inner()\nreturn inner.name }
export interface Generic<T> { readonly value: T }
`,
  })
  const shown = ['Field', 'Heir', 'Method', 'Part', 'Property', 'constant', 'parameter', 'result']
  t.same(
    unexportedTypes(join(folder, 'index.ts'), folder, options),
    shown.map((name) => `Inner of inner.ts, in ${name}`),
  )
  t.end()
})

t.test('what is exported may be shown', (t) => {
  const folder = t.testdir({
    'inner.ts': 'export class Inner { readonly name: string = "" }\n',
    'index.ts': `import type { Inner as Named } from './inner.ts'
export type { Inner } from './inner.ts'
export interface Property { readonly inner: Named }
`,
  })
  t.same(unexportedTypes(join(folder, 'index.ts'), folder, options), [])
  t.end()
})
