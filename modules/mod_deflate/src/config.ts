import type { Request, Server } from '@gatewright/api'

/** What becomes of the entity tag of a response whose bytes are others than those it was made for. */
export type EtagChange = 'add-suffix' | 'no-change' | 'remove'

/** Per-server configuration. */
export interface DeflateServerConfig {
  /** 1 to 9; zlib's own choice where nothing is said. */
  compressionLevel?: number
  /** 1 to 9. */
  memLevel?: number
  /** Base two logarithm of the window, 1 to 15. */
  windowSize?: number
  /** Bytes that are made before they are sent. */
  bufferSize?: number
  etagChange?: EtagChange
  /** Names of the notes for the bytes before, the bytes after and the percentage. */
  inputNote?: string
  outputNote?: string
  ratioNote?: string
}

/** Per-directory configuration: how far inflating may go. */
export interface DeflateConfig {
  /** Bytes behind per byte before. */
  ratioLimit?: number
  /** How many buffers in a row may be over the limit. */
  ratioBurst?: number
  /** Bytes that a request body may have when it is inflated; 0 for any number. */
  requestLimit?: number
}

/** What is in force for a request. */
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
