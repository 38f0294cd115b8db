import { readFileSync } from 'node:fs'
import type { Handling, PhaseStep, RoutePart } from '../explanation.ts'
import type { Recorder, RouteStep } from '../recorder.ts'

/** The lines of the configuration that changed a request or its response, in the order in which they acted. */
export function routeOf({ route }: Recorder): RoutePart[] {
  return route.flatMap(({ request, step }) => {
    if (step.kind === 'directive')
      return [
        {
          line: step.place === null ? step.name : lineAt(step.place.file, step.place.line, step.name),
          place: step.place === null ? null : { file: step.place.file, line: step.place.line },
          effect: step.effect,
          of: kindOf(request),
        },
      ]
    return mappedBy(step)
      ? [{ line: moduleName(step), place: null, effect: `maps ${request.uri} to ${request.filename}`, of: kindOf(request) }]
      : []
  })
}

/** Modules whose mapping of URLs to files has no line that they report. */
function mappedBy(step: RouteStep['step']): step is Extract<RouteStep['step'], { kind: 'hook' }> {
  return step.kind === 'hook' && step.hook === 'translateName' && step.outcome === 0 && !REPORTING.has(step.module)
}

const REPORTING: ReadonlySet<string> = new Set(['core.c', 'mod_alias.c', 'mod_rewrite.c'])

function moduleName({ module }: Extract<RouteStep['step'], { kind: 'hook' }>): string {
  return module.replace(/\.c$/, '')
}

/** What generated the response; null if no phase reached a handler. */
export function handlingOf({ route }: Recorder): Handling | null {
  const last = route.findLast(
    ({ step, request }) =>
      request.main === null && (step.kind === 'handler' || (step.kind === 'hook' && step.hook === 'handler')),
  )
  if (last === undefined) return null
  const { step, handler } = last
  if (step.kind === 'handler')
    return { name: step.handler, module: step.module === '' ? null : step.module.replace(/\.c$/, ''), isRun: step.isRun }
  return step.kind === 'hook' ? { name: handler ?? '', module: moduleName(step), isRun: true } : null
}

/** Every function of a hook that did not decline, in order. */
export function phasesOf({ route }: Recorder): PhaseStep[] {
  return route.flatMap(({ request, step, uri, filename, handler }) =>
    step.kind === 'hook'
      ? [
          {
            phase: step.hook,
            module: moduleName(step),
            outcome: Number(step.outcome),
            uri,
            filename,
            handler,
            of: kindOf(request),
          },
        ]
      : [],
  )
}

/** Why the server was chosen; '' if the request was refused before. */
export function whyServerOf({ route }: Recorder): string {
  const first = route.find(({ step }) => step.kind === 'server')?.step
  return first?.kind === 'server' ? first.because : ''
}

function kindOf({ main, prev }: RouteStep['request']): RoutePart['of'] {
  return main !== null ? 'sub-request' : prev !== null ? 'redirect' : 'request'
}

/** A line as written, with the lines that continue it; the directive's name if its file exists only in memory. */
function lineAt(file: string, line: number, name: string): string {
  let lines: readonly string[]
  try {
    lines = readFileSync(Buffer.from(file, 'latin1'), 'latin1').split('\n')
  } catch {
    return name
  }
  // A directive has the number of its last line.
  let first = line - 1
  while (first > 0 && lines[first - 1]?.endsWith('\\') === true) first--
  const text = lines
    .slice(first, line)
    .map((part) => part.replace(/\\$/, '').trim())
    .join(' ')
    .trim()
  return text.toLowerCase().includes(name.toLowerCase()) ? text : name
}
