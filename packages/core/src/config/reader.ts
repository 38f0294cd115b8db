import type { Problem } from '@gatewright/api'
import { type ConfigNode, closingName, expandVariables, MAX_SERVER_LINE, nextWord, type VariableLookup } from '@gatewright/config'
import { ConfigError } from '../base/config-error.ts'
import { systemReason } from '../base/error-text.ts'
import { problemText } from '../base/problem.ts'
import type { ReadEffect } from '../model/read-effect.ts'
import type { SkippedBody } from '../model/skipped-body.ts'
import type { BoundDirective } from '../modules/registry.ts'
import { LineFeed } from './line-feed.ts'

/** The host's services for the reader. */
export interface ReadContext {
  readonly variables: VariableLookup
  directive(name: string): readonly BoundDirective[] | undefined
  /**
   * Runs a read-time directive.
   * @returns the failure, or the reader's next action
   */
  execute(bound: readonly BoundDirective[], node: ConfigNode): Problem | readonly ReadEffect[]
  /** Evaluates a read-time container. */
  decide(bound: BoundDirective, node: ConfigNode): boolean | Problem
  /** Runs a container that consumes its lines itself. */
  define(bound: BoundDirective, node: ConfigNode, nextLine: () => string | undefined): Problem | undefined
  /** @throws the system's error */
  readFile(path: string): string
  /** Called when an included file is opened. */
  included?(path: string, from: { readonly file: string; readonly line: number } | null): void
  /** Called with the body of a false condition after it was skipped. */
  skipped?(body: SkippedBody): void
}

/** What the reader waits for: a module that is being loaded, or null. */
export type ReadPause = Promise<Problem | undefined> | null

/** A line takes one or two microseconds. */
const LINES_AT_A_TIME = 64

/** Maximum nesting of Include lines. */
const MAX_INCLUDE_DEPTH = 128

/** An open container of the file being read. `nodes` receives its children. */
interface OpenContainer {
  readonly name: string
  readonly file: string
  readonly line: number
  readonly nodes: ConfigNode[]
  readonly node: ConfigNode | null
  /** True for a read-time container, whose children belong to the surrounding container. */
  readonly transparent: boolean
}

/**
 * Parses the lines of one file into nodes, in order, because LoadModule, Define, Include, `${}` and skipped
 * bodies determine the meaning of the next line. A generator, so that a start can wait while a module is
 * being loaded, and a .htaccess file can be read in one go.
 * @throws ConfigError
 */
export function* readText(
  context: ReadContext,
  path: string,
  text: string,
  into: ConfigNode[],
  parent: ConfigNode | null,
  depth: number,
  maxLine: number = MAX_SERVER_LINE,
): Generator<ReadPause, void, Problem | undefined> {
  const open: OpenContainer[] = []
  let nodes = into
  let current = parent
  /** Containers of a skipped body, innermost last; the first is the false condition itself. */
  let skipped: string[] = []
  /** The place of the false condition: httpd reports every error inside a skipped body for that line. */
  let skippedFrom = 0
  let skippedFile = path
  let skippedTitle = ''
  let skippedNames = new Set<string>()

  const feed = new LineFeed(path, text, maxLine)
  let lines = 0
  for (let logical = feed.step(); logical !== undefined; logical = feed.step()) {
    // Allows callers that read while requests are served to yield to other work.
    if (logical === null || ++lines % LINES_AT_A_TIME === 0) yield null
    if (logical === null) continue
    if (logical.text === '' || logical.text.startsWith('#')) continue
    const { file, line } = logical
    const expanded = skipped.length > 0 ? logical.text : expandVariables(logical.text, context.variables)
    const { name, rest } = directiveName(expanded)

    if (skipped.length > 0) {
      skipped = skipLine(skipped, name, expanded, skippedFile, skippedFrom)
      skippedNames.add(name)
      if (skipped.length === 0)
        context.skipped?.({ title: skippedTitle, file: skippedFile, line: skippedFrom, parent: current, names: skippedNames })
      continue
    }

    if (name === '' && !expanded.startsWith('>')) continue
    if (name.startsWith('</')) {
      const innermost = open.pop()
      if (innermost === undefined) throw new ConfigError('read', file, line, `${name} without matching <${name.slice(2)} section`)
      const closing = closingName(expanded)
      if ('error' in closing) throw new ConfigError('read', file, line, closing.error)
      if (innermost.transparent && innermost.name.slice(1).toLowerCase() !== closing.name.toLowerCase()) {
        throw new ConfigError('read', file, line, `</${closing.name}> without matching <${closing.name}> section`)
      }
      if (innermost.name.slice(1).toLowerCase() !== closing.name.toLowerCase()) {
        const opened = `${innermost.name}> was opened on line ${innermost.line}: close it before this line`
        const message = `Expected <${innermost.name.replace('<', '/')}> but saw </${closing.name}>`
        throw new ConfigError('read', file, line, message, opened)
      }
      const outer = open.at(-1)
      nodes = outer?.nodes ?? into
      current = outer === undefined ? parent : outer.node
      continue
    }

    const bound = context.directive(name)
    const first = bound?.[0]
    if (name.startsWith('<')) {
      const node: ConfigNode = { name, text: rest, file, line, parent: current, children: [] }
      if (first !== undefined && first.spec.kind === 'condition') {
        const keep = context.decide(first, node)
        if (typeof keep !== 'boolean') throw refusal(file, line, keep)
        if (keep) open.push({ name, file, line, nodes, node: current, transparent: true })
        else {
          skipped = [name]
          skippedFrom = line
          skippedFile = file
          skippedTitle = expanded.trim()
          skippedNames = new Set()
        }
        continue
      }
      if (first !== undefined && first.spec.kind === 'definition') {
        const error = context.define(first, node, () => feed.next()?.text)
        if (error !== undefined) throw refusal(file, line, error)
        continue
      }
      nodes.push(node)
      nodes = node.children ?? []
      current = node
      open.push({ name, file, line, nodes, node, transparent: false })
      continue
    }

    const node: ConfigNode = { name, text: rest, file, line, parent: current, children: null }
    if (bound === undefined || first?.spec.readTime !== true) {
      nodes.push(node)
      continue
    }
    const effects = context.execute(bound, node)
    if ('message' in effects) throw refusal(file, line, effects)
    for (const effect of effects) {
      if (effect.kind === 'wait') {
        const error = yield effect.done
        if (error !== undefined) throw refusal(file, line, error)
      } else if (effect.kind === 'insert') {
        const error = feed.insert(effect.title, effect.lines)
        if (error !== undefined) throw new ConfigError('read', file, line, error)
      } else {
        for (const path of effect.files) yield* readIncluded(context, path, node, nodes, current, depth)
      }
    }
  }

  if (skipped.length > 0) {
    throw new ConfigError(
      'read',
      skippedFile,
      skippedFrom,
      `Expected <${skipped[0].replace('<', '/')}> before end of configuration`,
    )
  }
  const unclosed = open.filter(({ transparent }) => !transparent).reverse()
  const outermost = unclosed.at(-1)
  if (outermost !== undefined) {
    const text = unclosed.map(({ name, file, line }) => `${file}:${line}: ${name}> was not closed.`).join('\n')
    throw new ConfigError('read', outermost.file, outermost.line, text)
  }
}

/**
 * The first word of a line. A bracket at its end is treated as text after it, and a container that ends with
 * its name counts as closed.
 */
function directiveName(line: string): { readonly name: string; readonly rest: string } {
  const { word, rest } = nextWord(line)
  if (word.startsWith('</')) return { name: word, rest }
  if (!word.startsWith('<')) return { name: rest === '' ? word.replace(/>$/, '') : word, rest }
  if (word.endsWith('>')) return { name: word.slice(0, -1), rest: `>${rest}` }
  return { name: word, rest: rest === '' ? '>' : rest }
}

/** Reads an included file; its errors are reported through the line that includes it. */
function* readIncluded(
  context: ReadContext,
  path: string,
  from: ConfigNode,
  nodes: ConfigNode[],
  current: ConfigNode | null,
  depth: number,
): Generator<ReadPause, void, Problem | undefined> {
  try {
    if (depth >= MAX_INCLUDE_DEPTH) {
      throw new ConfigError(
        'read',
        path,
        0,
        `Exceeded maximum include depth of ${MAX_INCLUDE_DEPTH}, There appears to be a recursion.`,
      )
    }
    let text: string
    try {
      text = context.readFile(path)
    } catch (error) {
      throw new ConfigError('read', path, 0, `Could not open configuration file ${path}: ${systemReason(error)}`)
    }
    context.included?.(path, from)
    yield* readText(context, path, text, nodes, current, depth + 1)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const inner = error.line > 0 ? `Syntax error on line ${error.line} of ${error.file}: ${error.message}` : error.message
    throw new ConfigError('read', from.file, from.line, inner, error.hint)
  }
}

/** Inside a false condition only the nesting of containers is tracked, whatever their names. */
function skipLine(skipped: readonly string[], name: string, line: string, file: string, number: number): string[] {
  if (name.startsWith('</')) {
    // Here httpd treats the last character as the bracket, whatever it is.
    const closed = nextWord(line).word.slice(2, -1)
    const innermost = skipped[skipped.length - 1]
    if (innermost.slice(1).toLowerCase() !== closed.toLowerCase()) {
      throw new ConfigError('read', file, number, `Expected <${innermost.replace('<', '/')}> but saw </${closed}>`)
    }
    return skipped.slice(0, -1)
  }
  return name.startsWith('<') ? [...skipped, name] : [...skipped]
}

function refusal(file: string, line: number, problem: Problem): ConfigError {
  const place = problem.place ?? { file, line }
  return new ConfigError('read', place.file, place.line, problemText(problem), problem.hint)
}
