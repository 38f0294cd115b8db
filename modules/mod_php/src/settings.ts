/** One setting of PHP. */
export interface PhpSetting {
  readonly value: string
  /** Of php_admin_value and php_admin_flag: scripts and .htaccess files cannot change it. */
  readonly isAdmin: boolean
}

/** The settings of a section, by name. */
export type PhpSettings = ReadonlyMap<string, PhpSetting>

export interface PhpConfig {
  settings: PhpSettings
}

export interface PhpServerConfig {
  /** PHPIniDir, absolute. */
  iniFolder?: string
}

export const NO_SETTINGS: PhpSettings = new Map()

/** Later ones replace earlier ones, except those of administrators. */
export function withSetting(settings: PhpSettings, name: string, setting: PhpSetting): PhpSettings {
  if (settings.get(name)?.isAdmin === true && !setting.isAdmin) return settings
  return new Map([...settings, [name, setting]])
}

export function mergeSettings(base: PhpSettings, over: PhpSettings): PhpSettings {
  if (over.size === 0) return base
  let merged = base
  for (const [name, setting] of over) merged = withSetting(merged, name, setting)
  return merged
}

/** `php_flag engine off`. */
export function isEngineOff(settings: PhpSettings): boolean {
  const engine = settings.get('engine')
  return engine !== undefined && !isOn(engine.value)
}

/** As PHP reads a flag. */
export function isOn(word: string): boolean {
  return /^(?:on|yes|true|1)$/i.test(word)
}
