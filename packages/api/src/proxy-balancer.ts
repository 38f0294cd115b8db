import type { Command } from './command.ts'
import type { ProxyWorker } from './proxy.ts'
import type { Request } from './request.ts'
import type { Server } from './server.ts'

/**
 * The states of a worker, as `status=` names them, each one bit.
 * @since 2.4.6
 */
export const proxyWorkerStates: {
  /** It gets no requests (`D`). */
  readonly disabled: number
  /** It gets no requests, and none that belong to it either (`S`). */
  readonly stopped: number
  /** Errors do not take it out of service (`I`). */
  readonly ignoresErrors: number
  /** It gets only requests that belong to it by their route (`N`). */
  readonly draining: number
  /** It serves when no other member can (`H`). */
  readonly hotStandby: number
  /** It serves in the place of a member that cannot (`R`). */
  readonly hotSpare: number
  /** It failed, and is not tried before its `retry` has passed (`E`). */
  readonly inError: number
  /** Its health checks fail (`C`). */
  readonly failsChecks: number
} = {
  disabled: 1,
  stopped: 2,
  ignoresErrors: 4,
  draining: 8,
  hotStandby: 16,
  hotSpare: 32,
  inError: 64,
  failsChecks: 128,
}

const STATE_TEXTS: readonly (readonly [bit: number, text: string])[] = [
  [proxyWorkerStates.ignoresErrors, 'Ign '],
  [proxyWorkerStates.draining, 'Drn '],
  [proxyWorkerStates.disabled, 'Dis '],
  [proxyWorkerStates.stopped, 'Stop '],
  [proxyWorkerStates.inError, 'Err '],
  [proxyWorkerStates.hotStandby, 'Stby '],
  [proxyWorkerStates.hotSpare, 'Spar '],
  [proxyWorkerStates.failsChecks, 'HcFl '],
]

/**
 * The states of a member as the pages of httpd show them: `Init Ok `, `Init Dis `.
 * @since 2.4.6
 */
export function proxyStatesText({ status, isUsable }: Pick<ProxyMember, 'status' | 'isUsable'>): string {
  let text = 'Init '
  for (const [bit, name] of STATE_TEXTS) if ((status & bit) !== 0) text += name
  return isUsable ? `${text}Ok ` : text
}

/**
 * Figures of a member, which all processes share; see {@link ProxyMember.count}.
 * @since 2.4.6
 */
export type ProxyMemberFigure = 'elected' | 'busy' | 'sent' | 'received' | 'lbStatus'

/**
 * A worker of a balancer. What changes here changes in all processes.
 * @since 2.4.6
 */
export interface ProxyMember extends ProxyWorker {
  /** Its states, the sum of {@link proxyWorkerStates}. */
  readonly status: number
  /** Whether it gets requests: false while it is disabled, stopped, in error, or fails its health checks. */
  readonly isUsable: boolean
  /** Its route, '' for none. */
  readonly route: string
  /** The route of the member that serves instead of it; '' for none. */
  readonly redirect: string
  /** Members of lower sets come first. */
  readonly lbset: number
  /** Its share of the requests, in hundredths. */
  readonly lbfactor: number
  /** Requests that it was elected for. */
  readonly elected: number
  /** Times that it was tried again after an error. */
  readonly retries: number
  /** Requests in progress. */
  readonly busy: number
  /** Bytes that were sent to the backend. */
  readonly sent: number
  /** Bytes that were received from the backend. */
  readonly received: number
  /** What methods count with. */
  readonly lbStatus: number
  /** Adds to a figure. */
  count(figure: ProxyMemberFigure, amount: number): void
  /** Sets or clears states. */
  mark(states: number, on: boolean): void
  /**
   * Changes one of the parameters `loadfactor`, `lbset`, `route` and `redirect`.
   * @returns what is wrong with the value
   */
  change(name: string, value: string): string | undefined
  /** Puts it in the error state, unless it ignores errors. @returns whether it is in error */
  fail(): boolean
  /** Ends the error state. */
  recover(): void
  /** Ends the error state if the time for a retry has come. @returns false if it is in error still */
  retry(): boolean
}

/**
 * The parameters of a balancer. Times in milliseconds.
 * @since 2.4.6
 */
export interface ProxyBalancerParameters {
  /** The name of its method. */
  readonly lbmethod: string
  /** The cookie that holds the session; null for balancers without sessions. */
  readonly stickySession: string | null
  /** The parameter of URLs that holds the session. */
  readonly stickyPath: string | null
  /** The character in front of the route; null for a route alone. */
  readonly stickySeparator: string | null
  /** Whether a semicolon ends a parameter of a URL. */
  readonly scolonPathDelimiter: boolean
  /** Whether sessions end with their member. */
  readonly noFailover: boolean
  /** How long a request waits for a member that can serve. */
  readonly timeout: number
  /** How many other members a request tries; null for all. */
  readonly maxAttempts: number | null
  /** Whether members are tried again at once when all are in error. */
  readonly forceRecovery: boolean
  /** Whether a member that does not answer in time is in error. */
  readonly failOnTimeout: boolean
  /** Statuses of responses that put a member in error. */
  readonly failOnStatus: readonly number[]
}

/**
 * A group of workers, `balancer://NAME`.
 * @since 2.4.6
 */
export interface ProxyBalancer {
  /** `balancer://NAME`, in lower case. */
  readonly name: string
  /** The server that defines it. */
  readonly server: Server
  /** In the order of the configuration. */
  readonly members: readonly ProxyMember[]
  /** Its parameters. */
  readonly parameters: ProxyBalancerParameters
  /** What changes by its manager have to name; '' for nothing, null for a secret of the server. */
  readonly nonce: string | null
  /** How many members can be added. */
  readonly freePlaces: number
  /**
   * Changes a parameter in all processes.
   * @returns what is wrong with the value
   */
  change(name: string, value: string): string | undefined
  /**
   * Adds a member in all processes, which is disabled at first.
   * @returns what is wrong with the URL
   */
  addMember(url: string): ProxyMember | string
}

/**
 * Chooses the members of balancers: `lbmethod=`. Group `proxyBalancerMethods`, by name.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface ProxyBalancerMethod {
  /** The member for a request without a session; null if none can serve. */
  elect(balancer: ProxyBalancer, request: Request): ProxyMember | null
  /** Called when members can serve again: forgets what was counted. Without this function, `lbStatus` becomes 0. */
  reset?(balancer: ProxyBalancer): void
  /** Called for a member that a session chose. Without this function, it is counted as by `byrequests`. */
  elected?(balancer: ProxyBalancer, member: ProxyMember): void
}

/**
 * A parameter of workers, in ProxyPass, ProxySet, `<Proxy>` and BalancerMember. Group `proxyWorkerParameters`, by the
 * name of the parameter.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface ProxyWorkerParameter {
  /** Sets it. @returns what is wrong with the value */
  set(worker: ProxyWorker, value: string, command: Command): string | undefined
}

/**
 * The best of the members that can serve, by `isBetter`, with the rules of httpd about sets, hot standbys, hot spares
 * and errors.
 * @param isBetter called once for each candidate, with the best one so far
 * @since 2.4.6
 */
export function bestMember(
  { members }: ProxyBalancer,
  isBetter: (candidate: ProxyMember, best: ProxyMember | null) => boolean,
): ProxyMember | null {
  let highestSet = 0
  for (const { lbset } of members) if (lbset > highestSet) highestSet = lbset
  for (let set = 0; set <= highestSet; set++) {
    const best = bestOfSet(members, set, isBetter)
    if (best !== null) return best
  }
  return null
}

function bestOfSet(
  members: readonly ProxyMember[],
  set: number,
  isBetter: (candidate: ProxyMember, best: ProxyMember | null) => boolean,
): ProxyMember | null {
  const { hotStandby, draining, hotSpare } = proxyWorkerStates
  let best: ProxyMember | null = null
  let spares: ProxyMember[] | null = null
  let standbys: ProxyMember[] | null = null
  let unusable = 0
  for (let index = 0; index < members.length; index++) {
    const member = members[index]
    if (member.lbset !== set) continue
    const { status } = member
    const serves = (status & draining) === 0 && (member.isUsable || (member.retry() && member.isUsable))
    if ((status & hotSpare) !== 0) {
      if (serves) spares = append(spares, member)
    } else if ((status & hotStandby) !== 0) {
      if (serves) standbys = append(standbys, member)
    } else if (!serves) unusable++
    else if (isBetter(member, best)) best = member
  }
  // Each spare serves instead of one member that does not.
  for (let index = 0; spares !== null && index < spares.length && unusable > 0; index++, unusable--) {
    if (isBetter(spares[index], best)) best = spares[index]
  }
  if (best !== null || standbys === null) return best
  for (const standby of standbys) if (isBetter(standby, best)) best = standby
  return best
}

function append(list: ProxyMember[] | null, member: ProxyMember): ProxyMember[] {
  if (list === null) return [member]
  list.push(member)
  return list
}
