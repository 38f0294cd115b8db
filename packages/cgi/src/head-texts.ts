import type { HeadFault } from './script-head.ts'

/** httpd's message about a field Status that is none. @param name of the script's file */
export function invalidStatusText(statusLine: string, name: string): string {
  return `Invalid status line from script '${name}': ${statusLine.slice(0, 30)}`
}

/** httpd's message about a head that is none. @param name of the script's file */
export function headFaultText(fault: HeadFault, name: string): string {
  switch (fault.kind) {
    case 'no-field':
      return `malformed header from script '${name}': Bad header: ${fault.line}`
    case 'too-long':
      return `script '${name}' writes a head of more than 1 MiB`
    case 'none':
      return `End of script output before headers: ${name}`
    case 'cut':
      return `Premature end of script headers: ${name}`
  }
}
