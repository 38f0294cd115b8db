import type { Page } from '../page.ts'
import { LegacyError } from './legacy-error.ts'
import { type LegacyNode, LegacyTree } from './legacy-tree.ts'

/** Whether an expression of the legacy parser holds in a page. @throws LegacyError */
export async function legacyCondition(page: Page, source: string): Promise<boolean> {
  const root = new LegacyTree(source, page.file).parse()
  return root !== null && new Evaluation(page, source).holds(root)
}

class Evaluation {
  readonly #page: Page
  readonly #source: string

  constructor(page: Page, source: string) {
    this.#page = page
    this.#source = source
  }

  async holds(node: LegacyNode): Promise<boolean> {
    const { left, right } = node
    switch (node.kind) {
      case 'string':
        return this.#page.expand(node.text) !== ''
      case 'and':
        if (left === null || right === null) return this.#fail('AH01332', 'Invalid expression')
        return (await this.holds(left)) && this.holds(right)
      case 'or':
        if (left === null || right === null) return this.#fail('AH01332', 'Invalid expression')
        return (await this.holds(left)) || this.holds(right)
      case '=':
        return this.#equals(left, right)
      case '!=':
        return !this.#equals(left, right)
      case '<':
      case '<=':
      case '>':
      case '>=':
        return this.#compares(node.kind, left, right)
      case 'not':
        return right !== null && !(await this.holds(right))
      case 'group':
        return right === null || this.holds(right)
      case 'access':
        return this.#mayAccess(left, right)
      case '(':
        return this.#fail('AH03191', "Unmatched '(' in")
      default:
        return this.#fail('AH03192', 'internal parser error in')
    }
  }

  #equals(left: LegacyNode | null, right: LegacyNode | null): boolean {
    if (left?.kind !== 'string' || (right?.kind !== 'string' && right?.kind !== 're')) {
      return this.#fail('AH01333', 'Invalid expression')
    }
    const text = this.#page.expand(left.text)
    const other = this.#page.expand(right.text)
    return right.kind === 're' ? this.#matches(text, other) : text === other
  }

  /** A pattern that cannot be compiled matches, as in httpd. */
  #matches(text: string, source: string): boolean {
    const page = this.#page
    const pattern = page.parts.services.pattern(source)
    if ('error' in pattern) {
      page.log('AH02667', `unable to compile pattern "${source}"`)
      return true
    }
    const groups = pattern.match(text)
    page.lastMatch = { source, groups }
    return groups !== null
  }

  #compares(operator: '<' | '<=' | '>' | '>=', left: LegacyNode | null, right: LegacyNode | null): boolean {
    if (left?.kind !== 'string' || right?.kind !== 'string') return this.#fail('AH01334', 'Invalid expression')
    const text = this.#page.expand(left.text)
    const other = this.#page.expand(right.text)
    if (operator === '<') return text < other
    if (operator === '<=') return text <= other
    return operator === '>' ? text > other : text >= other
  }

  async #mayAccess(left: LegacyNode | null, right: LegacyNode | null): Promise<boolean> {
    const page = this.#page
    if (left !== null || (right?.kind !== 'string' && right?.kind !== 're')) {
      throw new LegacyError(
        'AH01335',
        `Invalid expression "${this.#source}" in file ${page.file}: Token '-A' must be followed by a URI string.`,
      )
    }
    const uri = page.expand(right.text)
    const { status } = await page.request.lookupUri(uri)
    if (status === 200) return true
    const text = `mod_include: The tested subrequest -A "${uri}" returned an error code.`
    page.parts.log.write(page.request, 'debug', 'AH01336', text)
    return false
  }

  #fail(code: string, text: string): never {
    throw new LegacyError(code, `${text} "${this.#source}" in file ${this.#page.file}`)
  }
}
