import type {
  ModuleLog,
  ProviderGroup,
  ProxyBalancer,
  ProxyBalancerMethod,
  ServerCommand,
  ServerCommandResult,
} from '@gatewright/api'
import { balancerData } from './balancer-data.ts'
import { findBalancer, findMember } from './find.ts'
import { ACTIONS, carryOut, consequences, type Order } from './order.ts'

/** What the command needs of the module. */
export interface CommandParts {
  readonly methods: ProviderGroup<ProxyBalancerMethod>
  readonly log: ModuleLog
  /** The balancers of all servers of the configuration. */
  balancers(): readonly ProxyBalancer[]
}

/**
 * The command `balancer` of `gatewright balancer`. Its words are the server, '' for any, what is to be done, the balancer, and
 * what follows: the member, or parameters as `NAME=VALUE`.
 */
export function balancerCommand(parts: CommandParts): ServerCommand {
  return {
    run: ([server = '', verb = '', name, ...rest]) => {
      const all = parts.balancers()
      if (verb === 'list' && name === undefined) return { data: { balancers: all.filter(isOf(server)).map(balancerData) } }
      if (name === undefined) return { problem: 'the command names no balancer' }
      const balancer = findBalancer(all, name, server === '' ? null : server)
      if ('problem' in balancer) return balancer
      if (verb === 'list') return { data: { balancers: [balancerData(balancer.found)] } }
      const action = ACTIONS.find((each) => each === verb) ?? null
      if (action === null && verb !== 'set') return { problem: `there is nothing like ${verb} to do with a balancer` }
      return change(balancer.found, action, rest, parts)
    },
  }
}

function isOf(server: string): (balancer: ProxyBalancer) => boolean {
  return (balancer) => server === '' || 'found' in findBalancer([balancer], balancer.name, server)
}

function change(
  balancer: ProxyBalancer,
  action: Order['action'],
  words: readonly string[],
  { methods, log }: CommandParts,
): ServerCommandResult {
  const isOfBalancer = action === null && /^\w+=/.test(words[0] ?? '')
  const [wanted = '', ...settings] = isOfBalancer ? ['', ...words] : words
  const member = isOfBalancer ? null : findMember(balancer, wanted)
  if (member !== null && 'problem' in member) return member
  const set = new Map<string, string>()
  for (const setting of settings) {
    const equals = setting.indexOf('=')
    if (equals < 1) return { problem: `${setting} is not NAME=VALUE` }
    set.set(setting.slice(0, equals).toLowerCase(), setting.slice(equals + 1))
  }
  const problems = carryOut({ action, set }, balancer, member?.found ?? null, { methods, log, request: null })
  if (problems.length > 0) return { problem: problems.join('; ') }
  return { data: { balancers: [balancerData(balancer)], notes: consequences(balancer) } }
}
