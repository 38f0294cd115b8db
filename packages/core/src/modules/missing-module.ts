import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { systemError } from '@gatewright/log'
import { isModuleOfHttpd } from '../base/directive-homes.ts'
import { systemReason } from '../base/error-text.ts'
import { goneModule } from '../base/gone-modules.ts'
import { alternativeTo } from '../base/unprovided-modules.ts'

/** A LoadModule line whose path leads to no loadable file. */
export interface MissingModule {
  readonly written: string
  readonly resolved: string
  readonly lookedFor: readonly string[]
  /** A file made for another server exists at the path. */
  readonly foreign: boolean
}

/**
 * The loader's message and a hint: about a variable without value, or a module that httpd has and this server
 * does not provide.
 */
export function missingModule({ written, resolved, lookedFor, foreign }: MissingModule): {
  readonly reason: string
  readonly hint: string
} {
  const reason = foreign
    ? `${resolved}: a module for httpd, which this server cannot run`
    : `${resolved}: cannot open shared object file: ${whyMissing(resolved)}`
  return { reason, hint: hintFor(written, basename(resolved, '.so'), `looked for ${lookedFor.join(' and ')}`) }
}

function whyMissing(path: string): string {
  try {
    statSync(path)
    return systemError(2).text
  } catch (error) {
    return systemReason(error)
  }
}

function hintFor(written: string, name: string, looked: string): string {
  const variable = /\$\{(\w+)\}/.exec(written)?.[1]
  if (variable !== undefined)
    return `the variable ${variable} is not defined: write Define ${variable} before this line; ${looked}`
  const gone = goneModule(name.replace(/^mod_/, ''))
  if (gone !== undefined) return `${name} was removed in 2.4: ${gone}: remove the line, or run gatewright migrate; ${looked}`
  const alternative = alternativeTo(name.replace(/^mod_/, '').toLowerCase())
  if (alternative !== undefined) return `${name} is not provided by this server: ${alternative}; ${looked}`
  return isModuleOfHttpd(name)
    ? `${name} is not provided by this server yet: remove the line, and every directive outside <IfModule> that needs it (a2dismod on Debian), or run gatewright upgrade-report, which lists everything that is missing; ${looked}`
    : looked
}
