import type { Request, Server } from '@gatewright/api'
import type { EtagChange } from '@gatewright/filters'

/** Per-server configuration. */
export interface DeflateServerConfig {
  /** 1 to 9; zlib's default if not set. */
  compressionLevel?: number
  /** 1 to 9. */
  memLevel?: number
  /** Base-2 logarithm of the window size, 1 to 15. */
  windowSize?: number
  /** Number of output bytes that are collected before sending begins. */
  bufferSize?: number
  etagChange?: EtagChange
  /** Names of the notes for the number of input bytes, of output bytes, and the ratio in percent. */
  inputNote?: string
  outputNote?: string
  ratioNote?: string
}

/** Per-directory configuration: limits of inflating. */
export interface DeflateConfig {
  /** Maximum ratio of inflated to compressed bytes. */
  ratioLimit?: number
  /** Number of consecutive buffers that may exceed the ratio limit. */
  ratioBurst?: number
  /** Maximum length of an inflated request body in bytes; 0 for no limit. */
  requestLimit?: number
}

/** Effective configuration of a request and its server. */
export interface SettingsOf {
  directory(request: Request): Readonly<DeflateConfig>
  server(server: Server): Readonly<DeflateServerConfig>
}

export const DEFAULT_BUFFER_SIZE = 8096
export const DEFAULT_MEM_LEVEL = 9
export const DEFAULT_WINDOW_SIZE = 15
export const DEFAULT_RATIO_LIMIT = 200
export const DEFAULT_RATIO_BURST = 3

export function mergeDeflateConfig(base: Readonly<DeflateConfig>, over: Readonly<DeflateConfig>): DeflateConfig {
  return {
    ratioLimit: over.ratioLimit ?? base.ratioLimit,
    ratioBurst: over.ratioBurst ?? base.ratioBurst,
    requestLimit: over.requestLimit ?? base.requestLimit,
  }
}

export function mergeDeflateServerConfig(
  base: Readonly<DeflateServerConfig>,
  over: Readonly<DeflateServerConfig>,
): DeflateServerConfig {
  return {
    compressionLevel: over.compressionLevel ?? base.compressionLevel,
    memLevel: over.memLevel ?? base.memLevel,
    windowSize: over.windowSize ?? base.windowSize,
    bufferSize: over.bufferSize ?? base.bufferSize,
    etagChange: over.etagChange ?? base.etagChange,
    inputNote: over.inputNote ?? base.inputNote,
    outputNote: over.outputNote ?? base.outputNote,
    ratioNote: over.ratioNote ?? base.ratioNote,
  }
}
