import { type Command, type DirectiveTable, directive } from '@gatewright/api'
import type { FcgiConfig, ValuePart } from './config.ts'

const EVERYWHERE = {
  scope: 'directory',
  context: ['server', 'virtualhost', 'directory', 'htaccess'],
  override: 'FileInfo',
} as const

export const directives: DirectiveTable<FcgiConfig, undefined> = {
  ProxyFCGIBackendType: directive.take1<FcgiConfig>({
    ...EVERYWHERE,
    help: 'the kind of responder: FPM (default) or GENERIC',
    set: (config, word) => {
      const kind = word.toLowerCase()
      if (kind !== 'fpm' && kind !== 'generic')
        return "ProxyFCGIBackendType requires one of the following arguments: 'GENERIC', 'FPM'"
      config.backendType = kind
      return undefined
    },
  }),
  ProxyFCGISetEnvIf: directive.take23<FcgiConfig>({
    ...EVERYWHERE,
    help: 'expression, name of a variable (`!` before it removes it), value',
    set: (config, source, name, value, command) => {
      const condition = command.services.condition(source, command)
      if ('error' in condition) return `Could not parse expression "${source}": ${condition.error}`
      if (name.startsWith('!')) {
        if (value !== undefined) return `Third argument not allowed when unsetting: ${name}`
        config.rules = [...config.rules, { condition, name: name.slice(1), value: null }]
        return undefined
      }
      const parts = valueParts(value ?? '', command)
      if (typeof parts === 'string') return `Could not parse expression "${value}": ${parts}`
      config.rules = [...config.rules, { condition, name, value: parts }]
      return undefined
    },
  }),
}

/** Splits a value at `$1`, which stands for what the condition captured. */
function valueParts(source: string, command: Command): readonly ValuePart[] | string {
  const parts: ValuePart[] = []
  for (const [index, piece] of source.split(/\$(\d)/).entries()) {
    if (index % 2 === 1) parts.push(Number(piece))
    else if (piece !== '') {
      const text = command.services.text(piece, command)
      if ('error' in text) return text.error
      parts.push(text)
    }
  }
  return parts
}
