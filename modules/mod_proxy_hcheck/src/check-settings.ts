import type { Server } from '@gatewright/api'
import type { Verdict } from './health-expression.ts'

export type CheckMethod = 'NONE' | 'TCP' | 'CPING' | 'OPTIONS' | 'HEAD' | 'GET' | 'OPTIONS11' | 'HEAD11' | 'GET11'

/** How a member is checked. Times in milliseconds. */
export interface CheckSettings {
  method: CheckMethod
  interval: number
  /** Checks in a row that a member has to pass until it serves again. */
  passes: number
  /** Checks in a row that fail until a member no longer serves. */
  fails: number
  uri: string
  verdict: Verdict | null
}

export function standardSettings(): CheckSettings {
  return { method: 'NONE', interval: 30_000, passes: 1, fails: 1, uri: '', verdict: null }
}

/** What the lines of one server define for its members. */
export interface NamedSettings {
  readonly templates: Map<string, Partial<CheckSettings>>
  readonly verdicts: Map<string, Verdict>
}

/** Each configuration has server objects of its own. */
const NAMED = new WeakMap<Server, NamedSettings>()

export function namedSettings(server: Server): NamedSettings {
  let named = NAMED.get(server)
  if (named === undefined) {
    named = { templates: new Map(), verdicts: new Map() }
    NAMED.set(server, named)
  }
  return named
}

const METHODS: readonly CheckMethod[] = ['NONE', 'TCP', 'CPING', 'OPTIONS', 'HEAD', 'GET', 'OPTIONS11', 'HEAD11', 'GET11']
const UNITS: Readonly<Record<string, number>> = { '': 1000, ms: 1, s: 1000, mi: 60_000, min: 60_000, h: 3_600_000 }

/** The names of the parameters, in lower case. */
export const PARAMETERS = ['hctemplate', 'hcmethod', 'hcinterval', 'hcpasses', 'hcfails', 'hcuri', 'hcexpr'] as const
export type Parameter = (typeof PARAMETERS)[number]

/**
 * Sets one parameter.
 * @param hasAjp whether mod_proxy_ajp is loaded: as in httpd, CPING needs it
 * @returns what is wrong with it
 */
export function setParameter(
  settings: Partial<CheckSettings>,
  name: Parameter,
  value: string,
  named: NamedSettings,
  hasAjp: boolean,
): string | undefined {
  switch (name) {
    case 'hctemplate': {
      const template = named.templates.get(value.toLowerCase())
      if (template === undefined) return `Unknown ProxyHCTemplate name: ${value}`
      Object.assign(settings, template)
      return undefined
    }
    case 'hcmethod': {
      const wanted = value.toUpperCase()
      if (wanted === 'PROVIDER' || (wanted === 'CPING' && !hasAjp)) return `Health check method ${value} not (yet) implemented`
      const method = METHODS.find((one) => one === wanted)
      if (method === undefined) return 'Unknown method'
      settings.method = method
      return undefined
    }
    case 'hcinterval': {
      const found = /^(-?\d+)([a-z]*)$/i.exec(value)
      const unit = found === null ? undefined : UNITS[found[2].toLowerCase()]
      if (found === null || unit === undefined) return 'Unparse-able hcinterval setting'
      const interval = Number(found[1]) * unit
      if (interval < 100) return 'Interval must be a positive value greater than 100ms'
      settings.interval = interval
      return undefined
    }
    case 'hcpasses':
    case 'hcfails': {
      const count = Math.trunc(Number.parseFloat(value)) || 0
      if (count < 0) return name === 'hcpasses' ? 'Passes must be a positive value' : 'Fails must be a positive value'
      if (name === 'hcpasses') settings.passes = count
      else settings.fails = count
      return undefined
    }
    case 'hcuri':
      settings.uri = value
      return undefined
    case 'hcexpr': {
      const verdict = named.verdicts.get(value.toLowerCase())
      if (verdict === undefined) return `Unknown health check condition expr: ${value}`
      settings.verdict = verdict
      return undefined
    }
  }
}
