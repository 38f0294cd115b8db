import type { EtagChange } from '@gatewright/filters'

/** Per-server configuration. */
export interface BrotliConfig {
  /** 0 (fast) to 11 (small). */
  quality?: number
  /** Base-2 logarithm of the window size, 10 to 24. */
  window?: number
  /** Base-2 logarithm of the largest input block, 16 to 24; chosen by the quality if not set. */
  inputBlock?: number
  etagChange?: EtagChange
  /** Names of the notes for the number of input bytes, of output bytes, and the ratio in percent. */
  inputNote?: string
  outputNote?: string
  ratioNote?: string
}

export const DEFAULT_QUALITY = 5
export const DEFAULT_WINDOW = 18

export function mergeBrotliConfig(base: Readonly<BrotliConfig>, over: Readonly<BrotliConfig>): BrotliConfig {
  return {
    quality: over.quality ?? base.quality,
    window: over.window ?? base.window,
    inputBlock: over.inputBlock ?? base.inputBlock,
    etagChange: over.etagChange ?? base.etagChange,
    inputNote: over.inputNote ?? base.inputNote,
    outputNote: over.outputNote ?? base.outputNote,
    ratioNote: over.ratioNote ?? base.ratioNote,
  }
}
