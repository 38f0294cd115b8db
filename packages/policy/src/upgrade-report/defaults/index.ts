import type { UpgradeFinding } from '../finding.ts'
import { accessFileFindings } from './access-files.ts'
import { folderOptionFindings } from './folder-options.ts'
import type { OldConfiguration } from './old-configuration.ts'
import { pipedLogFindings } from './piped-logs.ts'
import { processModelFindings } from './process-model.ts'
import { serverWideFindings } from './server-wide.ts'
import { virtualHostFindings } from './virtual-hosts.ts'

/** Defaults that differ in 2.4, if the configuration relies on the old ones. */
export function changedDefaults(old: OldConfiguration): UpgradeFinding[] {
  return [
    ...accessFileFindings(old),
    ...folderOptionFindings(old),
    ...virtualHostFindings(old),
    ...processModelFindings(old),
    ...pipedLogFindings(old),
    ...serverWideFindings(old),
  ]
}
