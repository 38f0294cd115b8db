import { type ProxyBalancer, type ProxyMember, proxyStatesText } from '@gatewright/api'
import { escapeHtml } from '@gatewright/api/text'

/** What ProxyStatus adds to the pages of mod_status: the balancers and their members. */
export function statusSection(balancers: readonly ProxyBalancer[], form: 'page' | 'auto', isFull: boolean): string {
  if (form === 'auto') return balancers.map(autoLines).join('')
  if (balancers.length === 0) return ''
  return `${balancers.map((balancer) => tableOf(balancer, isFull)).join('')}${LEGEND}`
}

function autoLines({ name, members }: ProxyBalancer, index: number): string {
  let lines = `ProxyBalancer[${index}]Name: ${name}\n`
  for (const [number, member] of members.entries()) {
    const start = `ProxyBalancer[${index}]Worker[${number}]`
    lines += `${start}Name: ${member.name}\n${start}Status: ${proxyStatesText(member)}\n${start}Elected: ${member.elected}\n`
    lines += `${start}Busy: ${member.busy}\n${start}Sent: ${kilobytes(member.sent)}\n${start}Rcvd: ${kilobytes(member.received)}\n`
  }
  return lines
}

function kilobytes(bytes: number): string {
  return `${Math.floor(bytes / 1024)}K`
}

function tableOf({ name, parameters, members }: ProxyBalancer, isFull: boolean): string {
  const { stickySession, stickyPath, timeout, lbmethod } = parameters
  const session = stickySession === null ? ' - ' : sessionText(stickySession, stickyPath)
  const rows = members.map((member) => rowOf(member, isFull)).join('')
  return `<hr />
<h1>Proxy LoadBalancer Status for ${escapeHtml(name)}</h1>
<table><tr><th>SSes</th><th>Timeout</th><th>Method</th></tr>
<tr><td>${escapeHtml(session)}</td><td>${timeout / 1000}</td><td>${escapeHtml(lbmethod)}</td></tr>
</table>
<table><tr>${COLUMNS.map((column) => `<th>${column}</th>`).join('')}</tr>
${rows}</table>
`
}

const COLUMNS = ['Sch', 'Host', 'Stat', 'Route', 'Redir', 'F', 'Set', 'Acc', 'Busy', 'Wr', 'Rd'] as const

function sessionText(cookie: string, parameter: string | null): string {
  return parameter === null || parameter === cookie ? cookie : `${cookie} | ${parameter}`
}

function rowOf(member: ProxyMember, isFull: boolean): string {
  const { scheme, hostname, name, route, redirect, lbfactor, lbset, elected, busy, sent, received } = member
  const factor = (lbfactor / 100).toFixed(2)
  const host = isFull ? name : hostname
  const cells = [scheme, host, proxyStatesText(member), route, redirect, factor, lbset, elected, busy, sent, received]
  return `<tr>${cells.map((cell) => `<td>${escapeHtml(String(cell))}</td>`).join('')}</tr>\n`
}

const LEGEND = `<hr />
<table>
<tr><th>SSes</th><td>Sticky session name</td></tr>
<tr><th>Timeout</th><td>Balancer Timeout</td></tr>
<tr><th>Sch</th><td>Connection scheme</td></tr>
<tr><th>Host</th><td>Backend Hostname</td></tr>
<tr><th>Stat</th><td>Worker status</td></tr>
<tr><th>Route</th><td>Session Route</td></tr>
<tr><th>Redir</th><td>Session Route Redirection</td></tr>
<tr><th>F</th><td>Load Balancer Factor</td></tr>
<tr><th>Acc</th><td>Number of uses</td></tr>
<tr><th>Wr</th><td>Number of bytes transferred</td></tr>
<tr><th>Rd</th><td>Number of bytes read</td></tr>
</table>
`
