import type { Command } from '@gatewright/api'
import type { Binding } from '../settings.ts'

/** MDExternalAccountBinding: two words, `none`, or a file of JSON with both. @returns the binding, or the error text */
export function readBinding(first: string, hmac: string | undefined, command: Command): Binding | string {
  if (hmac !== undefined) return { kid: first, hmac }
  if (first.toLowerCase() === 'none') return { kid: 'none', hmac: '' }
  const path = command.serverRelative(first)
  const text = command.services.readFile(path)
  if (text instanceof Error) return `${command.name}: file not found: ${path}`
  const content = parse(text)
  if (content === undefined) return `${command.name}: error reading JSON file ${path}`
  const { kid, hmac: secret } = content
  const lacks = (name: string): string => `${command.name}: JSON does not contain '${name}' element in file ${path}`
  if (typeof kid !== 'string' || kid === '') return lacks('kid')
  if (typeof secret !== 'string' || secret === '') return lacks('hmac')
  return { kid, hmac: secret }
}

function parse(text: string): { readonly kid?: unknown; readonly hmac?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
