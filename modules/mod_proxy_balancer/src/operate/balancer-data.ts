import { type ProxyBalancer, type ProxyMember, proxyWorkerStates } from '@gatewright/api'

/** What programs read of a balancer. Names of parameters are those of the directives. */
export interface BalancerData {
  readonly name: string
  /** The server that defines it, `NAME` or `NAME:PORT`. */
  readonly server: string
  readonly lbmethod: string
  /** As in `stickysession=`; null for a balancer without sessions. */
  readonly stickysession: string | null
  readonly nofailover: boolean
  /** Seconds that a request waits for a member; 0: it does not wait. */
  readonly timeout: number
  readonly maxattempts: number
  readonly members: readonly MemberData[]
}

/** What programs read of a member. */
export interface MemberData {
  readonly name: string
  readonly route: string
  readonly redirect: string
  readonly loadfactor: number
  readonly lbset: number
  /** The names of its states; none in ordinary service. */
  readonly states: readonly string[]
  /** Whether it gets requests: false while it is disabled, stopped, in error, or fails its checks. */
  readonly usable: boolean
  /** Requests in progress. */
  readonly busy: number
  readonly elected: number
  readonly retries: number
  /** Bytes. */
  readonly sent: number
  readonly received: number
}

export function balancerData({ name, server, parameters, members }: ProxyBalancer): BalancerData {
  return {
    name,
    server: serverLabel(server),
    lbmethod: parameters.lbmethod,
    stickysession: sessionText(parameters),
    nofailover: parameters.noFailover,
    timeout: parameters.timeout / 1000,
    maxattempts: parameters.maxAttempts ?? Math.max(0, members.length - 1),
    members: members.map(memberData),
  }
}

/** The sessions of a balancer as `stickysession=` takes them. */
export function sessionText({ stickySession, stickyPath }: ProxyBalancer['parameters']): string | null {
  if (stickySession === null) return null
  return stickyPath === null || stickyPath === stickySession ? stickySession : `${stickySession}|${stickyPath}`
}

/** `NAME`, or `NAME:PORT` for a ServerName with a port. */
export function serverLabel({ serverName, serverPort }: ProxyBalancer['server']): string {
  return serverPort === 0 ? serverName : `${serverName}:${serverPort}`
}

function memberData(member: ProxyMember): MemberData {
  const { name, route, redirect, lbset, isUsable, busy, elected, retries, sent, received, status } = member
  const states = Object.entries(proxyWorkerStates).flatMap(([state, bit]) => ((status & bit) === 0 ? [] : [state]))
  return {
    name,
    route,
    redirect,
    loadfactor: member.lbfactor / 100,
    lbset,
    states,
    usable: isUsable,
    busy,
    elected,
    retries,
    sent,
    received,
  }
}
