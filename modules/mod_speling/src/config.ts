export interface SpelingConfig {
  enabled: boolean
  /** Only capital and small letters are corrected. */
  caseOnly: boolean
  /** Files that differ after the first dot are suggested. */
  basenames: boolean
}

export function createSpelingConfig(): SpelingConfig {
  return { enabled: false, caseOnly: false, basenames: true }
}
