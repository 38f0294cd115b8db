import type { UpstreamTarget } from './pool-options.ts'

/** What a process says about a connection that it passes on. */
export interface PassedOn {
  readonly target: UpstreamTarget
  /** Milliseconds since its last use. */
  readonly idle: number
}

export function passedOnText({ target, idle }: PassedOn): string {
  return `${Math.max(0, Math.ceil(idle))} ${JSON.stringify(target)}`
}

/** Null for a text of another form. */
export function passedOn(text: string): PassedOn | null {
  const [, idle, json] = /^(\d{1,12}) (\{.*\})$/s.exec(text) ?? []
  const target = json === undefined ? null : targetOf(json)
  return idle === undefined || target === null ? null : { target, idle: Number(idle) }
}

function targetOf(json: string): UpstreamTarget | null {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  if ('path' in value) return typeof value.path === 'string' ? { path: value.path } : null
  if (!('host' in value && 'port' in value) || typeof value.host !== 'string' || typeof value.port !== 'number') return null
  const { host, port } = value
  if (!('localAddress' in value)) return { host, port }
  return typeof value.localAddress === 'string' ? { host, port, localAddress: value.localAddress } : null
}
