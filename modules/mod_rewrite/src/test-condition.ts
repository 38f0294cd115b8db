import { lstatSync, type Stats, statSync } from 'node:fs'
import { type Condition as Expression, isExpressionError } from '@gatewright/api'
import { leadingInteger, lowerCase } from './c-library-text.ts'
import type { FileTest, RewriteCondition } from './condition.ts'
import { expand } from './expand.ts'
import { mayLookAhead } from './look-ahead.ts'
import { NO_GROUPS, type Run } from './run.ts'

/**
 * Whether a condition holds. A matching pattern sets the groups for `%1` to `%9`. While the run waits, the
 * result is meaningless.
 */
export function testCondition(run: Run, condition: RewriteCondition): boolean {
  run.conditionVary = ''
  if (condition.test.kind === 'expression') return expressionHolds(run, condition, condition.test.expression)
  const input = expand(run, condition.input, null)
  if (condition.noVary) run.conditionVary = ''
  const holds = inputHolds(run, condition, input) !== condition.negated
  // The length of the text is known only now. The next step checks whether to yield to other requests.
  run.request.work.spend(input.length >> 5)
  if (run.trace !== null && run.waiting === null) {
    const ignored = condition.ignoreCase ? ' [NC]' : ''
    const found = holds ? 'matched' : 'not-matched'
    run.trace.write(4, run.directory, `RewriteCond: input='${input}' pattern='${condition.source}'${ignored} => ${found}`)
  }
  return holds
}

function inputHolds(run: Run, { test, negated, ignoreCase }: RewriteCondition, input: string): boolean {
  switch (test.kind) {
    case 'pattern': {
      if (negated) return test.pattern.test(input)
      const groups = test.pattern.match(input)
      if (groups !== null) run.conditionGroups = groups
      return groups !== null
    }
    case 'text':
      return test.holds(ignoreCase ? order(lowerCase(input), lowerCase(test.text)) : orderByLength(input, test.text))
    case 'equal':
      return ignoreCase ? lowerCase(input) === lowerCase(test.text) : input === test.text
    case 'number':
      return test.holds(leadingInteger(input) - test.number)
    case 'path':
      return pathHolds(test.test, input)
    case 'servedFile':
      return fileIsServed(run, input)
    case 'servedUrl':
      return urlIsServed(run, input)
    case 'expression':
      return expressionMatch(run, test.expression) !== null
  }
}

function expressionHolds(run: Run, condition: RewriteCondition, expression: Expression): boolean {
  const groups = expressionMatch(run, expression)
  const holds = (groups !== null) !== condition.negated
  if (groups !== null && !condition.negated) run.conditionGroups = groups
  run.trace?.write(
    4,
    run.directory,
    `RewriteCond: input='(null)' pattern='${condition.source}' => ${holds ? 'matched' : 'not-matched'}`,
  )
  return holds
}

function expressionMatch(run: Run, expression: Expression): readonly string[] | null {
  try {
    const groups = expression.match(run.request)
    return groups === null || groups.length > 0 ? groups : NO_GROUPS
  } catch (error) {
    if (!isExpressionError(error)) throw error
    run.trace?.write(1, run.directory, `RewriteCond: expr evaluation failed: ${error.message}`)
    return null
  }
}

/** httpd's order: a longer text sorts after a shorter one, whatever their contents. */
function orderByLength(one: string, other: string): number {
  return one.length === other.length ? order(one, other) : one.length - other.length
}

function order(one: string, other: string): number {
  if (one === other) return 0
  return one > other ? 1 : -1
}

function pathHolds(test: FileTest, path: string): boolean {
  const found = stat(path, test === 'link' || test === 'executable' ? lstatSync : statSync)
  if (found === undefined) return false
  switch (test) {
    case 'directory':
      return found.isDirectory()
    case 'file':
      return found.isFile()
    case 'size':
      return found.isFile() && found.size > 0
    case 'link':
      return found.isSymbolicLink()
    case 'executable':
      return (found.mode & 0o111) !== 0
  }
}

function stat(path: string, ask: typeof statSync): Stats | undefined {
  if (path === '' || path.includes('\0')) return undefined
  try {
    return ask(Buffer.from(path, 'latin1'), { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function fileIsServed(run: Run, path: string): boolean {
  if (!mayLookAhead(run.request)) return false
  const sub = run.ask(run.requests, `file ${path}`, () => run.request.lookupFile(path))
  if (sub === null) return false
  run.trace?.write(5, null, `RewriteCond file (-F check: path=${path} -> file=${sub.filename} status=${sub.status}`)
  // Rules may have changed the file name after the file was found.
  return sub.status < 300 && stat(sub.filename, statSync) !== undefined
}

function urlIsServed(run: Run, url: string): boolean {
  if (url === '' || !mayLookAhead(run.request)) return false
  const sub = run.ask(run.requests, `uri ${url}`, () => run.request.lookupUri(url))
  if (sub === null) return false
  run.trace?.write(5, null, `RewriteCond URI (-U check: path=${url} -> status=${sub.status}`)
  return sub.status < 400
}
