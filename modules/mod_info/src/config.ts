/** What AddModuleInfo says about one module: HTML of the administrator's. */
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
