export interface CernMetaConfig {
  enabled?: boolean
  folder?: string
  suffix?: string
}

export function mergeCernMetaConfig(base: Readonly<CernMetaConfig>, over: Readonly<CernMetaConfig>): CernMetaConfig {
  return {
    enabled: over.enabled ?? base.enabled,
    folder: over.folder ?? base.folder,
    suffix: over.suffix ?? base.suffix,
  }
}
