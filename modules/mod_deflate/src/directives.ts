import { contexts, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import { ETAG_CHANGES, wholeNumber } from '@gatewright/filters'
import type { DeflateConfig, DeflateServerConfig } from './config.ts'

export const directives: DirectiveTable<DeflateConfig, DeflateServerConfig> = {
  DeflateCompressionLevel: directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help: 'compression level, 1 (fast) to 9 (small)',
    set: (config, text) => {
      const level = wholeNumber(text)
      if (level < 1 || level > 9) return 'Compression Level must be between 1 and 9'
      config.compressionLevel = level
      return undefined
    },
  }),
  DeflateMemLevel: directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help: 'memory for compression, 1 to 9',
    set: (config, text) => {
      const level = wholeNumber(text)
      if (level < 1 || level > 9) return 'DeflateMemLevel must be between 1 and 9'
      config.memLevel = level
      return undefined
    },
  }),
  DeflateWindowSize: directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help: 'base-2 logarithm of the compression window, 1 to 15',
    set: (config, text) => {
      const size = wholeNumber(text)
      if (size < 1 || size > 15) return 'DeflateWindowSize must be between 1 and 15'
      config.windowSize = size
      return undefined
    },
  }),
  DeflateBufferSize: directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help: 'size of the output buffer in bytes',
    set: (config, text) => {
      const size = wholeNumber(text)
      if (size <= 0) return 'DeflateBufferSize should be positive'
      config.bufferSize = size
      return undefined
    },
  }),
  DeflateAlterEtag: directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help: 'AddSuffix, NoChange or Remove',
    set: (config, word) => {
      const change = ETAG_CHANGES[word.toLowerCase()]
      if (change === undefined) return "DeflateAlterETAG accepts only 'NoChange', 'AddSuffix', and 'Remove'"
      config.etagChange = change
      return undefined
    },
  }),
  DeflateFilterNote: directive.take12({
    scope: 'server',
    context: contexts.inServers,
    help: 'Input, Output or Ratio (default), and the note that stores the value',
    set: (config, first, second) => setNote(config, second === undefined ? 'ratio' : first, second ?? first),
  }),
  DeflateInflateLimitRequestBody: directive.take1({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'All',
    help: 'maximum length of an inflated request body in bytes',
    set: (config, text) => {
      if (!/^\d+$/.test(text)) return 'DeflateInflateLimitRequestBody requires a non-negative integer.'
      config.requestLimit = Number(text)
      return undefined
    },
  }),
  DeflateInflateRatioLimit: directive.take1({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'All',
    help: 'maximum ratio of inflated to compressed bytes',
    set: (config, text) => {
      const limit = wholeNumber(text)
      if (limit <= 0) return 'DeflateInflateRatioLimit must be positive'
      config.ratioLimit = limit
      return undefined
    },
  }),
  DeflateInflateRatioBurst: directive.take1({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'All',
    help: 'number of consecutive times that the ratio limit may be exceeded',
    set: (config, text) => {
      const times = wholeNumber(text)
      if (times <= 0) return 'DeflateInflateRatioBurst must be positive'
      config.ratioBurst = times
      return undefined
    },
  }),
}

function setNote(config: DeflateServerConfig, what: string, note: string): SetResult {
  switch (what.toLowerCase()) {
    case 'input':
      config.inputNote = note
      return undefined
    case 'output':
      config.outputNote = note
      return undefined
    case 'ratio':
      config.ratioNote = note
      return undefined
    default:
      return `Unknown note type ${what}`
  }
}
