import type { Question } from '../question.ts'
import type { Claim } from './claim.ts'

/** A request header that sets a variable, independently of the configuration's own rules. */
export interface VariableSwitch {
  readonly variable: string
  readonly header: readonly [string, string]
}

/** A switch for each variable, and the configuration lines that implement it. */
export function variableSwitches(variables: readonly string[]): {
  readonly switches: readonly VariableSwitch[]
  readonly lines: readonly string[]
} {
  const switches = variables.map((variable, index): VariableSwitch => ({ variable, header: [`${FIELD}${index}`, 'set'] }))
  const lines = switches.map(({ variable, header: [name] }) => `SetEnvIf ${name} ^set$ ${variable}`)
  return { switches, lines: lines.length === 0 ? [] : ['<IfModule mod_setenvif.c>', ...lines, '</IfModule>'] }
}

/** Variables that a request has only because the question sets them. */
export function variablesOf({ headers }: Question, switches: readonly VariableSwitch[]): string[] {
  return headers.flatMap(([name]) => switches.filter(({ header }) => header[0] === name).map(({ variable }) => variable))
}

/** The lines by which a server understands the switches of some requests. */
export function switchLines(claims: readonly Claim[]): string[] {
  const lines = claims.flatMap(({ question, variables }) =>
    question.headers
      .filter(([name]) => name.startsWith(FIELD))
      .map(([name, value], index) => `SetEnvIf ${name} ^${value}$ ${variables[index]}`),
  )
  return [...new Set(lines)]
}

const FIELD = 'X-Gatewright-Variable-'
