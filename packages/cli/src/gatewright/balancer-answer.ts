/** What the server says of its balancers. */
export interface BalancerAnswer {
  readonly balancers: readonly ShownBalancer[]
  readonly notes: readonly string[]
}

/** A balancer, as far as it is shown. */
export interface ShownBalancer {
  readonly name: string
  readonly server: string
  readonly lbmethod: string
  readonly members: readonly ShownMember[]
}

/** A member, as far as it is shown. */
export interface ShownMember {
  readonly name: string
  readonly route: string
  readonly loadfactor: number
  readonly lbset: number
  readonly states: readonly string[]
  readonly usable: boolean
  readonly busy: number
  readonly elected: number
  readonly sent: number
  readonly received: number
}

/** The answer in data of the server; null if it is that of another version. */
export function balancerAnswer(data: object): BalancerAnswer | null {
  if (!('balancers' in data) || !Array.isArray(data.balancers)) return null
  const balancers = data.balancers.map(shownBalancer)
  const notes = 'notes' in data && Array.isArray(data.notes) ? data.notes.filter((note) => typeof note === 'string') : []
  return balancers.every((each) => each !== null) ? { balancers, notes } : null
}

function shownBalancer(value: unknown): ShownBalancer | null {
  if (typeof value !== 'object' || value === null || !('members' in value) || !Array.isArray(value.members)) return null
  if (!('name' in value && 'server' in value && 'lbmethod' in value)) return null
  const { name, server, lbmethod } = value
  if (typeof name !== 'string' || typeof server !== 'string' || typeof lbmethod !== 'string') return null
  const members = value.members.map(shownMember)
  return members.every((member) => member !== null) ? { name, server, lbmethod, members } : null
}

function shownMember(value: unknown): ShownMember | null {
  if (typeof value !== 'object' || value === null) return null
  const fields = new Map<string, unknown>(Object.entries(value))
  const text = (name: string): string => {
    const field = fields.get(name)
    return typeof field === 'string' ? field : ''
  }
  const number = (name: string): number => {
    const field = fields.get(name)
    return typeof field === 'number' ? field : Number.NaN
  }
  const states = fields.get('states')
  const shown = {
    name: text('name'),
    route: text('route'),
    loadfactor: number('loadfactor'),
    lbset: number('lbset'),
    states: Array.isArray(states) ? states.filter((state) => typeof state === 'string') : [],
    usable: fields.get('usable') === true,
    busy: number('busy'),
    elected: number('elected'),
    sent: number('sent'),
    received: number('received'),
  }
  const numbers = [shown.loadfactor, shown.lbset, shown.busy, shown.elected, shown.sent, shown.received]
  return shown.name === '' || numbers.some(Number.isNaN) ? null : shown
}
