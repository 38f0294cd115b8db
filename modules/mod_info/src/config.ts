/** AddModuleInfo: the administrator's HTML text about one module. */
export interface Remark {
  readonly source: string
  readonly html: string
}

export interface InfoConfig {
  readonly remarks: Remark[]
}

export function mergeConfigs(base: Readonly<InfoConfig>, over: Readonly<InfoConfig>): InfoConfig {
  return { remarks: [...base.remarks, ...over.remarks] }
}
