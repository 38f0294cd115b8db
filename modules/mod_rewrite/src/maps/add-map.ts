import { statSync } from 'node:fs'
import type { Command } from '@gatewright/api'
import type { RewriteConfig } from '../config.ts'
import { INTERNAL_MAPS, internalMap } from './internal-map.ts'
import type { RewriteMap } from './rewrite-map.ts'
import { randomMap, textMap } from './text-map.ts'

/** `RewriteMap NAME TYPE:SOURCE [OPTIONS]`. A file must exist when the configuration is read. */
export function addMap(
  config: RewriteConfig,
  name: string,
  source: string,
  _options: string | undefined,
  command: Command,
): string | undefined {
  const map = readMap(name, source, command)
  if (typeof map === 'string') return map
  if (config.own !== null) config.own.maps = new Map([...config.own.maps, [name, map]])
  return undefined
}

function readMap(name: string, source: string, command: Command): RewriteMap | string {
  const colon = source.indexOf(':')
  const type = colon < 0 ? 'txt' : source.slice(0, colon).toLowerCase()
  const rest = source.slice(colon + 1)
  switch (type) {
    case 'txt':
      return onFile(name, rest, command, (path) => textMap(name, path))
    case 'rnd':
      return onFile(name, rest, command, (path) => randomMap(name, path))
    case 'int': {
      const convert = INTERNAL_MAPS[rest.toLowerCase()]
      return convert === undefined ? `RewriteMap: internal map not found:${rest}` : internalMap(name, convert)
    }
    case 'prg':
      return 'RewriteMap: programs (prg) are not supported; a txt map is read again whenever its file changes'
    case 'dbd':
    case 'fastdbd':
      return 'RewriteMap types dbd and fastdbd require mod_dbd!'
    default:
      return type === 'dbm' || type.startsWith('dbm=')
        ? 'RewriteMap: DBM files (dbm) are not supported; use a txt map, which is read again whenever its file changes'
        : onFile(name, source, command, (path) => textMap(name, path))
  }
}

function onFile(name: string, file: string, command: Command, make: (path: string) => RewriteMap): RewriteMap | string {
  const path = command.serverRelative(file)
  try {
    statSync(Buffer.from(path, 'latin1'))
  } catch {
    return `RewriteMap: file for map ${name} not found:${path}`
  }
  return make(path)
}
