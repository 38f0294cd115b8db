import type { DirectiveItem } from '@gatewright/config'
import { goneModule } from '@gatewright/core'

/** The replacement of a directive; null for none. */
export interface Renewal {
  readonly text: string | null
  readonly remark: string
}

/** The replacement in 2.4 for a directive of 2.2; undefined if nothing changed. */
export function renewed(item: DirectiveItem): Renewal | undefined {
  const name = item.name.toLowerCase()
  return Object.hasOwn(RENEWALS, name) ? RENEWALS[name](item) : undefined
}

const authoritative = ({ name }: DirectiveItem): Renewal => ({
  text: null,
  remark: `${name} was removed: in 2.4, any Require line that grants is sufficient, regardless of its module`,
})
const gone =
  (remark: string) =>
  ({ name }: DirectiveItem): Renewal => ({ text: null, remark: `${name} was removed: ${remark}` })
const renamed =
  (to: string) =>
  ({ name, text }: DirectiveItem): Renewal => ({ text: `${to} ${text}`, remark: `${name} is now called ${to}` })

const RENEWALS: Readonly<Record<string, (item: DirectiveItem) => Renewal | undefined>> = {
  authzldapauthoritative: authoritative,
  authzdbdauthoritative: authoritative,
  authzdbmauthoritative: authoritative,
  authzgroupfileauthoritative: authoritative,
  authzuserauthoritative: authoritative,
  authzownerauthoritative: authoritative,
  authzdefaultauthoritative: authoritative,
  namevirtualhost: gone('every address with several virtual hosts selects them by name'),
  defaulttype: ({ name, words }) =>
    words[0]?.toLowerCase() === 'none'
      ? undefined
      : {
          text: null,
          remark: `${name} has no effect in 2.4: a file of unknown type is sent without a type; ForceType in a section sets one`,
        },
  maxclients: renamed('MaxRequestWorkers'),
  maxrequestsperchild: renamed('MaxConnectionsPerChild'),
  // Only httpd's prefork and worker have such a lock; with other process models Mutex rejects its name.
  acceptmutex: gone('the process model event accepts connections without a lock'),
  lockfile: gone('the process model event has no such lock; Mutex file:DIRECTORY default sets the folder for locks of modules'),
  rewritelock: gone('Mutex file:DIRECTORY rewrite-map sets the folder of the lock'),
  rewritelog: gone('mod_rewrite writes its trace to the error log, with LogLevel rewrite:trace1 to trace8'),
  rewriteloglevel: ({ name, words }) => {
    const level = Math.min(8, Number.parseInt(words[0] ?? '0', 10) || 0)
    return { text: level === 0 ? null : `LogLevel rewrite:trace${level}`, remark: `LogLevel now replaces ${name}` }
  },
  cookielog: ({ name, text }) => ({
    text: `CustomLog ${text} "%{Apache}n \\"%r\\" %t"`,
    remark: `CustomLog now replaces ${name}`,
  }),
  loadmodule: ({ words }) => {
    const [module = ''] = words
    const reason = goneModule(module.toLowerCase().replace(/_module$/, ''))
    return reason === undefined ? undefined : { text: null, remark: `${module} was removed: ${reason}` }
  },
}
