import type { AnyModule, DirectiveKind } from '@gatewright/api'

const CONTAINERS: readonly DirectiveKind[] = ['section', 'condition', 'definition']

/** What is checked of a row, in the types that a module in JavaScript may give it. */
interface RowForm {
  readonly kind: DirectiveKind
  readonly declaredAs?: string
}

/** A name that can be written in a configuration, and printed anywhere. */
const NAME = /^<?[A-Za-z][\w-]*$/

/**
 * Refuses rows that the types of the module API do not allow, and that would do something else than their author
 * expects: a container without `<` in its key never gets its lines, which would be read as directives.
 * @throws TypeError which names the module and the row
 */
export function requireOwnForm({ name }: AnyModule, key: string, { kind, declaredAs = key }: RowForm): void {
  for (const word of [key, declaredAs]) {
    if (NAME.test(word)) continue
    const shown = word.replace(/[^\x20-\x7e]/g, '?')
    throw new TypeError(
      `${name} declares a directive '${shown}': a name begins with a letter and has letters, digits, '_' and '-'`,
    )
  }
  const isContainer = CONTAINERS.includes(kind)
  if (isContainer !== key.startsWith('<')) {
    const right = isContainer ? `'<${key}'` : `'${key.slice(1)}'`
    throw new TypeError(`${name} declares '${key}' as ${kind}: the key of ${isContainer ? 'a container' : 'a line'} is ${right}`)
  }
}
