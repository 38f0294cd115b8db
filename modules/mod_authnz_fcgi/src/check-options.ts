import type { Command, SetResult } from '@gatewright/api'
import type { CheckConfig } from './config.ts'

/**
 * `AuthnzFcgiCheckAuthnProvider NAME|None [Authoritative On|Off] [DefaultUser NAME] [RequireBasicAuth On|Off]
 * [UserExpr TEXT]`.
 */
export function setCheck(config: CheckConfig, text: string, command: Command): SetResult {
  const refuse = (what: string): string => `${command.name}: ${what}`
  const [provider, ...options] = command.words(text)
  if (provider === undefined) return refuse('No provider given')
  if (provider.toLowerCase() === 'none') {
    config.provider = null
    return options.length > 0 ? 'Options aren\'t supported with "None"' : undefined
  }
  config.provider = provider
  for (let index = 0; index < options.length; index += 2) {
    const option = options[index] ?? ''
    const value = options[index + 1]
    if (value === undefined) return refuse(`${option}needs an argument`)
    const problem = setOption(config, option, value, command)
    if (problem !== undefined) return refuse(problem)
  }
  return undefined
}

function setOption(config: CheckConfig, option: string, value: string, command: Command): string | undefined {
  switch (option.toLowerCase()) {
    case 'authoritative':
    case 'requirebasicauth': {
      const isOn = value.toLowerCase() === 'on'
      if (!isOn && value.toLowerCase() !== 'off') return `Bad argument '${value}' to option '${option}'`
      if (option.toLowerCase() === 'authoritative') config.authoritative = isOn
      else config.requireBasic = isOn
      return undefined
    }
    case 'defaultuser':
      config.defaultUser = value
      return undefined
    case 'userexpr': {
      const expression = command.services.text(value, command)
      if ('error' in expression) return `Error parsing '${value}': '${expression.error}'`
      config.userExpression = expression
      return undefined
    }
    default:
      return `Unexpected option '${option}'`
  }
}
