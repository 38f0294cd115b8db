import {
  type Condition,
  type ExprLookup,
  type ExprOptions,
  ExprRuntimeError,
  ExprSyntaxError,
  parseCondition,
  parseString,
  type StringTemplate,
} from '../../src/index.ts'

/** A minimal request for these tests. */
export interface ToyRequest {
  readonly variables: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

export const toyRequest: ToyRequest = {
  variables: { REMOTE_ADDR: '127.0.0.1', REQUEST_URI: '/a/b', HTTPS: 'off', EMPTY: '' },
  headers: { 'x-a': 'a', 'x-b': 'B1' },
}

export const toyLookup: ExprLookup<ToyRequest> = {
  variable(name) {
    return Object.hasOwn(toyRequest.variables, name) ? (request) => request.variables[name] ?? '' : undefined
  },
  stringFunction(name) {
    switch (name) {
      case 'req':
        return { call: (request, header) => request.headers[header.toLowerCase()] ?? '' }
      case 'file':
        return {
          call: (_request, path) => {
            throw new ExprRuntimeError(`Cannot open file ${path}`)
          },
          restricted: true,
        }
    }
  },
  listFunction(name) {
    return name === 'split' ? (_request, text) => text.split(',') : undefined
  },
  unaryOperator(letter) {
    switch (letter) {
      case 'd':
        return { test: (_request, path) => path === '/etc' }
      case 'R':
        return {
          test: () => false,
          prepare(constant) {
            if (constant === undefined) return '-R requires subnet/netmask as constant argument'
            if (!/^[0-9./]+$/.test(constant)) return 'parsing of subnet/netmask failed'
            return (request) => request.variables['REMOTE_ADDR'] === constant
          },
        }
    }
  },
  binaryOperator(name) {
    if (name !== 'ipmatch') return undefined
    return {
      test: (_request, left, right) => left === right,
      prepare: (constant) => (constant === undefined ? '-ipmatch requires subnet/netmask as constant argument' : undefined),
    }
  },
}

export const toyOptions: ExprOptions<ToyRequest> = { lookup: toyLookup }

/** The condition, or a failed test. */
export function condition(source: string, options: ExprOptions<ToyRequest> = toyOptions): Condition<ToyRequest> {
  const parsed = parseCondition(source, options)
  if (parsed instanceof ExprSyntaxError) throw new Error(`${source}: ${parsed.message}`)
  return parsed
}

/** The template, or a failed test. */
export function template(source: string, options: ExprOptions<ToyRequest> = toyOptions): StringTemplate<ToyRequest> {
  const parsed = parseString(source, options)
  if (parsed instanceof ExprSyntaxError) throw new Error(`${source}: ${parsed.message}`)
  return parsed
}

/** The message of an expression that must be rejected. */
export function refusal(
  source: string,
  mode: 'condition' | 'string' = 'condition',
  options: ExprOptions<ToyRequest> = toyOptions,
): string {
  const parsed = mode === 'condition' ? parseCondition(source, options) : parseString(source, options)
  return parsed instanceof ExprSyntaxError ? parsed.message : 'no error'
}
