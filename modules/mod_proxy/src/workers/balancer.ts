import type { Worker } from './worker.ts'
import { leadingNumber, timeWithUnit } from './worker-parameters.ts'

/** A group of workers, `balancer://NAME`. */
export class Balancer {
  /** `balancer://name`, in lower case. */
  readonly name: string
  readonly members: Worker[] = []
  lbmethod = 'byrequests'
  stickySession: string | null = null
  stickyPath: string | null = null
  noFailover = false
  timeout: number | null = null
  maxAttempts: number | null = null
  forceRecovery = true
  failOnTimeout = false
  failOnStatus: readonly number[] = []
  scolonPathDelimiter = false
  stickySeparator: string | null = '.'

  constructor(name: string) {
    this.name = name
  }
}

/** The name of the balancer in a URL. */
export function balancerOf(url: string): string {
  const found = /^balancer:\/\/([^/?]*)/i.exec(url)
  return `balancer://${(found?.[1] ?? '').toLowerCase()}`
}

export function isBalancer(url: string): boolean {
  return /^balancer:/i.test(url)
}

/**
 * Sets one parameter of a balancer.
 * @param methods the names of the methods that are loaded
 * @returns what is wrong with it
 */
export function setBalancerParameter(
  balancer: Balancer,
  name: string,
  value: string,
  methods: readonly string[],
): string | undefined {
  const flag = (label: string, act: (on: boolean) => void): string | undefined => {
    if (!/^(?:on|off)$/i.test(value)) return `${label} must be On|Off`
    act(/^on$/i.test(value))
    return undefined
  }
  switch (name.toLowerCase()) {
    case 'stickysession': {
      const [cookie, path] = value.split('|', 2)
      balancer.stickySession = cookie
      balancer.stickyPath = path ?? cookie
      return undefined
    }
    case 'stickysessionsep':
      balancer.stickySeparator = /^(?:off|)$/i.test(value) ? null : value[0]
      return value.length > 1 && !/^off$/i.test(value) ? 'stickysessionsep must be a single character or Off' : undefined
    case 'nofailover':
      return flag('failover', (on) => void (balancer.noFailover = on))
    case 'timeout': {
      const seconds = leadingNumber(value)
      if (seconds < 1) return 'timeout must be at least one second'
      balancer.timeout = seconds * 1000
      return undefined
    }
    case 'maxattempts': {
      const attempts = leadingNumber(value)
      if (attempts < 0) return 'maximum number of attempts must be a positive number'
      balancer.maxAttempts = attempts
      return undefined
    }
    case 'lbmethod':
      if (!methods.includes(value.toLowerCase())) return 'unknown lbmethod'
      balancer.lbmethod = value.toLowerCase()
      return undefined
    case 'scolonpathdelim':
      return flag('scolonpathdelim', (on) => void (balancer.scolonPathDelimiter = on))
    case 'failonstatus': {
      const statuses = value.split(/[,\s]+/).map(leadingNumber)
      if (statuses.some((status) => status < 100 || status > 599)) return 'failonstatus must be one or more HTTP response codes'
      balancer.failOnStatus = statuses
      return undefined
    }
    case 'failontimeout':
      return flag('failontimeout', (on) => void (balancer.failOnTimeout = on))
    case 'nonce':
      return undefined
    case 'growth': {
      const growth = leadingNumber(value)
      return growth < 1 || growth > 100 ? 'growth must be between 1 and 100' : undefined
    }
    case 'forcerecovery':
      return flag('forcerecovery', (on) => void (balancer.forceRecovery = on))
    case 'addressttl':
      return timeWithUnit(value, 1000) === null ? 'AddressTTL has wrong format' : undefined
    default:
      return 'unknown Balancer parameter'
  }
}
