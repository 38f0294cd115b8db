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
  CacheDirLevels: directive.take1<DiskServerConfig>({
    ...IN_SERVERS,
    help: 'The number of levels of subdirectories in the cache',
    set: (config, word, command) => {
      noteHost(config, command)
      const levels = leadingInteger(word)
      if (levels < 1) return 'CacheDirLevels value must be an integer greater than 0'
      config.levels = levels
      return tooDeep(config)
    },
  }),
  CacheDirLength: directive.take1<DiskServerConfig>({
    ...IN_SERVERS,
    help: 'The number of characters in subdirectory names',
    set: (config, word, command) => {
      noteHost(config, command)
      const length = leadingInteger(word)
      if (length < 1) return 'CacheDirLength value must be an integer greater than 0'
      config.length = length
      return tooDeep(config)
    },
  }),
  CacheMinFileSize: directive.take1<DiskConfig>({
    ...IN_FILES,
    help: 'The minimum file size to cache a document',
    set: (config, word, command) => {
      noteHost(config, command)
      const size = leadingInteger(word)
      if (size < 0)
        return 'CacheMinFileSize argument must be a non-negative integer representing the min size of a file to cache in bytes.'
      config.minSize = size
      return undefined
    },
  }),
  CacheMaxFileSize: directive.take1<DiskConfig>({
    ...IN_FILES,
    help: 'The maximum file size to cache a document',
    set: (config, word, command) => {
      noteHost(config, command)
      const size = leadingInteger(word)
      if (size < 0)
        return 'CacheMaxFileSize argument must be a non-negative integer representing the max size of a file to cache in bytes.'
      config.maxSize = size
      return undefined
    },
  }),
  CacheReadSize: unused('CacheReadSize', 'The maximum quantity of data to attempt to read and cache in one go', 'size of read'),
  CacheReadTime: unused('CacheReadTime', 'The maximum time taken to attempt to read and cache in go', 'time of read'),
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
