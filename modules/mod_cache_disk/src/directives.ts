import { type Command, contexts, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import { leadingInteger } from '@gatewright/api/text'
import { type DiskConfig, type DiskServerConfig, STANDARD_LENGTH, STANDARD_LEVELS } from './config.ts'

const IN_FILES = { scope: 'directory', context: ['server', 'virtualhost', 'directory', 'proxy'] } as const
const IN_SERVERS = { scope: 'server', context: contexts.inServers } as const

/** The most characters of a name that folders take. */
const MAX_PREFIX = 20

export const directives: DirectiveTable<DiskConfig, DiskServerConfig> = {
  CacheRoot: directive.take1<DiskServerConfig>({
    ...IN_SERVERS,
    help: 'The directory to store cache files',
    set: (config, path, command) => {
      noteHost(config, command)
      config.root = command.serverRelative(path)
    },
  }),
  CacheDirLevels: folders('levels', 'CacheDirLevels', 'The number of levels of subdirectories in the cache'),
  CacheDirLength: folders('length', 'CacheDirLength', 'The number of characters in subdirectory names'),
  CacheMinFileSize: fileSize('min', 'CacheMinFileSize', 'The minimum file size to cache a document'),
  CacheMaxFileSize: fileSize('max', 'CacheMaxFileSize', 'The maximum file size to cache a document'),
  CacheReadSize: unused(
    'CacheReadSize',
    'The maximum quantity of data to attempt to read and cache in one go',
    'max amount of data to cache in go',
  ),
  CacheReadTime: unused(
    'CacheReadTime',
    'The maximum time taken to attempt to read and cache in go',
    'max amount of time taken to cache in go',
  ),
}

function folders(key: 'levels' | 'length', name: string, help: string) {
  return directive.take1<DiskServerConfig>({
    ...IN_SERVERS,
    help,
    set: (config, word, command) => {
      noteHost(config, command)
      const number = leadingInteger(word)
      if (number < 1) return `${name} value must be an integer greater than 0`
      config[key] = number
      return tooDeep(config)
    },
  })
}

function fileSize(limit: 'min' | 'max', name: string, help: string) {
  return directive.take1<DiskConfig>({
    ...IN_FILES,
    help,
    set: (config, word, command) => {
      noteHost(config, command)
      const size = leadingInteger(word)
      if (size < 0)
        return `${name} argument must be a non-negative integer representing the ${limit} size of a file to cache in bytes.`
      config[`${limit}Size`] = size
      return undefined
    },
  })
}

/** Pieces are kept as they arrive: nothing is collected. */
function unused(name: string, help: string, what: string) {
  return directive.take1<DiskConfig>({
    ...IN_FILES,
    help,
    effect: 'none',
    set: (config, word, command) => {
      noteHost(config, command)
      return leadingInteger(word) < 0 ? `${name} argument must be a non-negative integer representing the ${what}.` : undefined
    },
  })
}

function tooDeep({ levels = STANDARD_LEVELS, length = STANDARD_LENGTH }: DiskServerConfig): SetResult {
  return levels * length > MAX_PREFIX ? `CacheDirLevels*CacheDirLength value must not be higher than ${MAX_PREFIX}` : undefined
}

function noteHost(config: DiskConfig | DiskServerConfig, { section }: Command): void {
  if (section.server.isVirtual) config.isOfHost = true
}
