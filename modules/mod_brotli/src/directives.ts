import { contexts, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import { ETAG_CHANGES, wholeNumber } from '@gatewright/filters'
import type { BrotliConfig } from './config.ts'

const SERVER = { scope: 'server', context: contexts.inServers } as const

export const directives: DirectiveTable<undefined, BrotliConfig> = {
  BrotliCompressionQuality: directive.take1<BrotliConfig>({
    ...SERVER,
    help: 'Compression quality between 0 and 11 (higher quality means slower compression)',
    set: (config, text) => {
      const quality = wholeNumber(text)
      if (quality < 0 || quality > 11) return 'BrotliCompressionQuality must be between 0 and 11'
      config.quality = quality
      return undefined
    },
  }),
  BrotliCompressionWindow: directive.take1<BrotliConfig>({
    ...SERVER,
    help: 'Sliding window size between 10 and 24 (larger windows can improve compression, but require more memory)',
    set: (config, text) => {
      const window = wholeNumber(text)
      if (window < 10 || window > 24) return 'BrotliCompressionWindow must be between 10 and 24'
      config.window = window
      return undefined
    },
  }),
  BrotliCompressionMaxInputBlock: directive.take1<BrotliConfig>({
    ...SERVER,
    help: 'Maximum input block size between 16 and 24 (larger block sizes require more memory)',
    set: (config, text) => {
      const block = wholeNumber(text)
      if (block < 16 || block > 24) return 'BrotliCompressionMaxInputBlock must be between 16 and 24'
      config.inputBlock = block
      return undefined
    },
  }),
  BrotliAlterETag: directive.take1<BrotliConfig>({
    ...SERVER,
    help: "Set how mod_brotli should modify ETag response headers: 'AddSuffix' (default), 'NoChange', 'Remove'",
    set: (config, word) => {
      const change = ETAG_CHANGES[word.toLowerCase()]
      if (change === undefined) return "BrotliAlterETag accepts only 'AddSuffix', 'NoChange' and 'Remove'"
      config.etagChange = change
      return undefined
    },
  }),
  BrotliFilterNote: directive.take12<BrotliConfig>({
    ...SERVER,
    help: 'Set a note to report on compression ratio',
    set: (config, first, second) => (second === undefined ? setNote(config, 'ratio', first) : setNote(config, first, second)),
  }),
}

function setNote(config: BrotliConfig, what: string, note: string): SetResult {
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
      return `Unknown BrotliFilterNote type '${what}'`
  }
}
