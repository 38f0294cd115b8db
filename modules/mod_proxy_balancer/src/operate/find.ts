import type { ProxyBalancer, ProxyMember } from '@gatewright/api'
import { serverLabel } from './balancer-data.ts'

/** What a search found, or why it found nothing that is clear. */
export type Found<T> = { readonly found: T } | { readonly problem: string; readonly hint?: string }

/**
 * The balancer that an operator names, with or without `balancer://`.
 * @param server the ServerName of its server, with or without port; null for any
 */
export function findBalancer(balancers: readonly ProxyBalancer[], name: string, server: string | null): Found<ProxyBalancer> {
  const wanted = `balancer://${name
    .toLowerCase()
    .replace(/^balancer:\/\//, '')
    .replace(/\/$/, '')}`
  const named = balancers.filter((balancer) => balancer.name === wanted)
  const fitting = named.filter(({ server: own }) => server === null || server === own.serverName || server === serverLabel(own))
  if (fitting.length === 1) return { found: fitting[0] }
  if (fitting.length > 1) {
    const labels = [...new Set(fitting.map(({ server: own }) => serverLabel(own)))].join(', ')
    return { problem: `several servers have a balancer ${wanted}`, hint: `name one of ${labels} as its server` }
  }
  if (named.length > 0) return { problem: `no server ${server} has a balancer ${wanted}` }
  const known = [...new Set(balancers.map((balancer) => balancer.name))].join(', ')
  return { problem: `there is no balancer ${wanted}`, hint: known === '' ? 'the configuration has none' : `there is ${known}` }
}

/** The member that an operator names: by its URL, or by its route if one member alone has it. */
export function findMember({ name, members }: ProxyBalancer, wanted: string): Found<ProxyMember> {
  const url = wanted.replace(/\/$/, '')
  const byUrl = members.find((member) => member.name === wanted || member.name.replace(/\/$/, '') === url)
  if (byUrl !== undefined) return { found: byUrl }
  const byRoute = members.filter(({ route }) => route !== '' && route === wanted)
  if (byRoute.length === 1) return { found: byRoute[0] }
  const names = members.map((member) => member.name).join(', ')
  if (byRoute.length > 1) return { problem: `several members of ${name} have the route ${wanted}`, hint: `name one of ${names}` }
  return { problem: `${name} has no member ${wanted}`, hint: names === '' ? 'it has none' : `it has ${names}` }
}
