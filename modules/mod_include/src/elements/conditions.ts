import { type Condition, isExpressionError } from '@gatewright/api'
import { legacyCondition } from '../legacy/legacy-condition.ts'
import { LegacyError } from '../legacy/legacy-error.ts'
import type { Page } from '../page.ts'
import type { Element } from './element.ts'

/** Compiles the expressions of pages. */
export type CompileExpression = (source: string) => Condition | { readonly error: string }

/** `if`. */
export async function beginIf(page: Page, element: Element, compile: CompileExpression): Promise<void> {
  const { attributes } = element
  if (attributes.length > 1) page.logForm('AH01352', `too many arguments for if element in ${page.file}`)
  else if (attributes.length === 0) page.logForm('AH01353', `missing expr argument for if element in ${page.file}`)
  if (!page.isPrinting) {
    page.skippedConditions++
    return
  }
  if (attributes.length !== 1) return fail(page)
  const [name, expression] = attributes[0]
  if (name !== 'expr') {
    page.log('AH01354', `unknown parameter "${name}" to tag if in ${page.file}`)
    return fail(page)
  }
  if (expression === null) {
    page.log('AH01355', `missing expr value for if element in ${page.file}`)
    return fail(page)
  }
  return choose(page, expression, compile)
}

/** `elif`. */
export async function beginElif(page: Page, element: Element, compile: CompileExpression): Promise<void> {
  const { attributes } = element
  const isHere = page.skippedConditions === 0
  if (attributes.length > 1) page.logForm('AH01356', `too many arguments for if element in ${page.file}`, isHere)
  else if (attributes.length === 0) page.logForm('AH01357', `missing expr argument for if element in ${page.file}`, isHere)
  if (!isHere) return
  if (attributes.length !== 1) return fail(page)
  const [name, expression] = attributes[0]
  if (name !== 'expr') {
    page.log('AH01358', `unknown parameter "${name}" to tag if in ${page.file}`)
    return fail(page)
  }
  if (expression === null) {
    page.log('AH01359', `missing expr in elif statement: ${page.file}`)
    return fail(page)
  }
  if (page.isTaken) {
    page.isPrinting = false
    return
  }
  return choose(page, expression, compile)
}

/** `else`. */
export function beginElse(page: Page, { attributes }: Element): void {
  const isHere = page.skippedConditions === 0
  if (attributes.length > 0) page.logForm('AH01360', `else directive does not take tags in ${page.file}`, isHere)
  if (!isHere) return
  if (attributes.length > 0) {
    if (page.isPrinting) page.addError()
    return
  }
  if (page.hasFailedCondition) return
  page.isPrinting = !page.isTaken
  page.isTaken = true
}

/** `endif`. */
export function endIf(page: Page, { attributes }: Element): void {
  const isHere = page.skippedConditions === 0
  if (attributes.length > 0) page.logForm('AH01361', `endif directive does not take tags in ${page.file}`, isHere)
  if (!isHere) {
    page.skippedConditions--
    return
  }
  if (attributes.length > 0) return page.addError()
  page.isPrinting = true
  page.isTaken = true
  page.hasFailedCondition = false
}

async function choose(page: Page, expression: string, compile: CompileExpression): Promise<void> {
  const holds = await evaluate(page, expression, compile)
  if (holds === null) return fail(page)
  page.isPrinting = holds
  page.isTaken = holds
}

/** As in httpd, `else` changes nothing after a condition that cannot be evaluated; `elif` is evaluated. */
function fail(page: Page): void {
  page.addError()
  page.isPrinting = false
  page.isTaken = false
  page.hasFailedCondition = true
}

/** Null for an expression that cannot be evaluated, which was logged. */
function evaluate(page: Page, expression: string, compile: CompileExpression): Promise<boolean | null> {
  return page.config.legacyExpressions === true ? evaluateLegacy(page, expression) : evaluateModern(page, expression, compile)
}

async function evaluateModern(page: Page, expression: string, compile: CompileExpression): Promise<boolean | null> {
  const condition = compile(expression)
  if ('error' in condition) {
    page.log('AH01337', `Could not parse expr "${expression}" in ${page.file}: ${condition.error}`)
    return null
  }
  try {
    const groups = condition.match(page.request)
    if (groups === null) return false
    // As in httpd, only $0 of such an expression can be used.
    if (groups.length > 0) page.lastMatch = { source: '(null)', groups: groups.slice(0, 1) }
    return true
  } catch (error) {
    if (!isExpressionError(error)) throw error
    page.log('AH01338', `Could not evaluate expr "${expression}" in ${page.file}: ${error.message}`)
    return null
  }
}

async function evaluateLegacy(page: Page, expression: string): Promise<boolean | null> {
  try {
    return await legacyCondition(page, expression)
  } catch (error) {
    if (!(error instanceof LegacyError)) throw error
    page.log(error.code, error.message)
    return null
  }
}
