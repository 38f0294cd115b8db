import { statSync } from 'node:fs'
import type { Command } from '@gatewright/api'
import { dbmFiles, parseDbmType } from '@gatewright/dbm'
import type { RewriteConfig } from '../config.ts'
import { databaseMap } from './database-map.ts'
import { INTERNAL_MAPS, internalMap } from './internal-map.ts'
import { programMap } from './program-map.ts'
import type { RewriteMap } from './rewrite-map.ts'
import { fastSqlMap, sqlMap } from './sql-map.ts'
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
  if (colon < 0 && source.startsWith('dbm=')) return `RewriteMap: bad map:${source}`
  const type = colon < 0 ? 'txt' : source.slice(0, colon).toLowerCase()
  const rest = source.slice(colon + 1)
  switch (type) {
    case 'txt':
      return onFile(name, rest, command, (path) => textMap(name, path))
    case 'rnd':
      return onFile(name, rest, command, (path) => randomMap(name, path))
    case 'int': {
      const convert = INTERNAL_MAPS[rest]
      return convert === undefined ? `RewriteMap: internal map not found:${rest}` : internalMap(name, convert)
    }
    case 'prg': {
      const [program = '', ...args] = rest.split(/\s+/)
      return onFile(name, program, command, (path) => programMap(name, [path, ...args]))
    }
    case 'dbd':
    case 'fastdbd':
      if (!command.services.moduleLoaded('mod_dbd.c')) return 'RewriteMap types dbd and fastdbd require mod_dbd!'
      return type === 'dbd' ? sqlMap(name, rest) : fastSqlMap(name, rest)
    default:
      return type === 'dbm' || type.startsWith('dbm=')
        ? onDatabase(name, type.slice('dbm='.length) || 'default', rest, command)
        : onFile(name, source, command, (path) => textMap(name, path))
  }
}

/** A database may consist of several files; if one of them exists, so does the database. */
function onDatabase(name: string, type: string, file: string, command: Command): RewriteMap | string {
  if (parseDbmType(type) === undefined) return `RewriteMap: dbm type ${type} is invalid`
  const path = command.serverRelative(file)
  const files = dbmFiles(path, type)
  return files.some(exists) ? databaseMap(name, path, type) : `RewriteMap: file for map ${name} not found:${files[0] ?? path}`
}

function onFile(name: string, file: string, command: Command, make: (path: string) => RewriteMap): RewriteMap | string {
  const path = command.serverRelative(file)
  return exists(path) ? make(path) : `RewriteMap: file for map ${name} not found:${path}`
}

function exists(path: string): boolean {
  try {
    return statSync(Buffer.from(path, 'latin1'), { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
