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

/** Why a LoadModule line fails. */
export interface MissingReason {
  readonly reason: string
  readonly hint: string
  /** What the module is and what serves its purpose; null if the line itself is wrong. */
  readonly sentence: string | null
}

/**
 * The loader's message and a hint: about a variable without value, or a module that httpd has and this server
 * does not provide.
 */
export function missingModule({ written, resolved, lookedFor, foreign }: MissingModule): MissingReason {
  const reason = foreign
    ? `${resolved}: a module for httpd, which this server cannot run`
    : `${resolved}: cannot open shared object file: ${whyMissing(resolved)}`
  const looked = `looked for ${lookedFor.join(' and ')}`
  const sentence = sentenceOf(written, basename(resolved, '.so'))
  if (sentence !== null) return { reason, hint: `${sentence}; ${looked}`, sentence }
  const variable = /\$\{(\w+)\}/.exec(written)?.[1]
  if (variable === undefined)
    return { reason, hint: looked, sentence: `${basename(resolved)} is not part of this server: remove the line` }
  const hint = `the variable ${variable} is not defined: write Define ${variable} before this line; ${looked}`
  return { reason, hint, sentence: null }
}

function whyMissing(path: string): string {
  try {
    statSync(path)
    return systemError(2).text
  } catch (error) {
    return systemReason(error)
  }
}

function sentenceOf(written: string, name: string): string | null {
  if (/\$\{\w+\}/.test(written)) return null
  const gone = goneModule(name.replace(/^mod_/, ''))
  if (gone !== undefined) return `${name} was removed in 2.4: ${gone}: remove the line, or run gatewright migrate`
  const alternative = alternativeTo(name.replace(/^mod_/, '').toLowerCase())
  if (alternative !== undefined) return `${name} is not provided by this server: ${alternative}`
  return isModuleOfHttpd(name)
    ? `${name} is not provided by this server yet: remove the line, and every directive outside <IfModule> that needs it (a2dismod on Debian), or run gatewright upgrade-report, which lists everything that is missing`
    : null
}
