import { LegacyError } from './legacy-error.ts'
import { legacyTokens, type TokenKind } from './legacy-tokens.ts'

/** A node of an expression. `group` is a pair of parentheses. */
export interface LegacyNode {
  kind: TokenKind | 'group'
  text: string
  left: LegacyNode | null
  right: LegacyNode | null
  parent: LegacyNode | null
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>='])
const OPERANDS: ReadonlySet<string> = new Set(['string', 're', 'group'])

/** Parses expressions as mod_include did before httpd 2.4: `&&` and `||` have the same rank, and group from the right. */
export class LegacyTree {
  readonly #source: string
  readonly #file: string
  #root: LegacyNode | null = null
  #current: LegacyNode | null = null

  /** @param file of the page, for messages */
  constructor(source: string, file: string) {
    this.#source = source
    this.#file = file
  }

  /** Null for an empty expression. @throws LegacyError */
  parse(): LegacyNode | null {
    for (const { kind, text } of legacyTokens(this.#source)) this.#add({ kind, text, left: null, right: null, parent: null })
    return this.#root
  }

  #add(node: LegacyNode): void {
    const current = this.#current
    if (current === null) this.#begin(node)
    else if (node.kind === 'string') this.#addString(node, current)
    else if (node.kind === 're') this.#addPattern(node, current)
    else if (node.kind === 'and' || node.kind === 'or') this.#addJunction(node, current)
    else if (COMPARISONS.has(node.kind)) this.#addComparison(node, current)
    else if (node.kind === ')') this.#closeGroup(current)
    else if (OPERANDS.has(current.kind)) this.#fail('AH03192', 'internal parser error in')
    else this.#append(node, current)
  }

  #begin(node: LegacyNode): void {
    if (node.kind !== 'string' && node.kind !== 'not' && node.kind !== 'access' && node.kind !== '(') {
      this.#fail('AH03188', 'Invalid expression')
    }
    this.#root = node
    this.#current = node
  }

  #addString(node: LegacyNode, current: LegacyNode): void {
    if (current.kind === 'string') current.text += current.text === '' ? node.text : ` ${node.text}`
    else if (OPERANDS.has(current.kind)) this.#fail('AH03192', 'internal parser error in')
    else this.#append(node, current)
  }

  #addPattern(node: LegacyNode, current: LegacyNode): void {
    if (current.kind !== '=' && current.kind !== '!=') {
      throw new LegacyError('AH03190', `No operator before regex in expr "${this.#source}" in file ${this.#file}`)
    }
    this.#append(node, current)
  }

  #addJunction(node: LegacyNode, current: LegacyNode): void {
    if (!OPERANDS.has(current.kind)) this.#fail('AH03192', 'internal parser error in')
    let above = current.parent
    while (above !== null && above.kind !== 'and' && above.kind !== 'or' && above.kind !== '(') above = above.parent
    this.#putBetween(node, above)
  }

  #addComparison(node: LegacyNode, current: LegacyNode): void {
    const above = current.parent
    const canCompare = above === null || above.kind === '(' || above.kind === 'and' || above.kind === 'or'
    if (current.kind !== 'string' || !canCompare) this.#fail('AH03192', 'internal parser error in')
    this.#putBetween(node, above)
  }

  #closeGroup(current: LegacyNode): void {
    let group: LegacyNode | null = current
    while (group !== null && group.kind !== '(') group = group.parent
    if (group === null) this.#fail('AH03189', "Unmatched ')' in")
    group.kind = 'group'
    this.#current = group
  }

  #append(node: LegacyNode, current: LegacyNode): void {
    current.right = node
    node.parent = current
    this.#current = node
  }

  /** Makes what is below `above`, or everything, the left side of the node. */
  #putBetween(node: LegacyNode, above: LegacyNode | null): void {
    node.left = above === null ? this.#root : above.right
    if (node.left !== null) node.left.parent = node
    node.parent = above
    if (above === null) this.#root = node
    else above.right = node
    this.#current = node
  }

  #fail(code: string, text: string): never {
    throw new LegacyError(code, `${text} "${this.#source}" in file ${this.#file}`)
  }
}
