import { createHash } from 'node:crypto'
import { type ProxyBalancer, type ProxyMember, proxyStatesText, proxyWorkerStates } from '@gatewright/api'
import { type Html, html, raw } from '@gatewright/api/text'
import { sessionText } from '../operate/balancer-data.ts'
import { STYLE } from './style.ts'

/** What the page shows. */
export interface PageParts {
  readonly serverName: string
  readonly banner: string
  /** The path of the manager. */
  readonly path: string
  readonly balancers: readonly ProxyBalancer[]
  readonly methods: readonly string[]
  /** What a form was sent for, or a link followed. */
  readonly balancer: ProxyBalancer | null
  readonly member: ProxyMember | null
  /** What could not be changed. */
  readonly problems: readonly string[]
  nonceOf(balancer: ProxyBalancer): string
}

/** The page runs no scripts, and its forms lead to this server alone. */
export const CONTENT_SECURITY_POLICY: string =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export function managerPage(parts: PageParts): Html {
  const { serverName, banner, balancers, balancer, member, problems } = parts
  return html`<!DOCTYPE html>
<html lang="en"><head><title>Balancer Manager</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>${raw(STYLE)}</style>
</head>
<body><main><h1>Load Balancer Manager for ${serverName}</h1>
<p>Server Version: ${banner}. Changes last until the next restart.</p>
${problems.map((problem) => html`<p class="problem" role="alert">${problem}</p>\n`)}${balancers.map((one) => sectionOf(one, parts))}
${balancer === null ? '' : member === null ? balancerForm(balancer, parts) : memberForm(balancer, member, parts)}
</main></body></html>
`
}

function linkTo(parts: PageParts, balancer: ProxyBalancer, member: ProxyMember | null): string {
  const worker = member === null ? '' : `&w=${encodeURI(member.name).replaceAll('&', '%26').replaceAll('#', '%23')}`
  return `${parts.path}?b=${shortName(balancer)}${worker}&nonce=${parts.nonceOf(balancer)}`
}

export function shortName({ name }: ProxyBalancer): string {
  return name.slice('balancer://'.length)
}

function sectionOf(balancer: ProxyBalancer, parts: PageParts): Html {
  const { parameters, members, freePlaces, name } = balancer
  const attempts = parameters.maxAttempts ?? Math.max(0, members.length - 1)
  const facts: readonly (readonly [string, string])[] = [
    ['MaxMembers', `${members.length + freePlaces} [${members.length} Used]`],
    ['StickySession', sessionText(parameters) ?? '(None)'],
    ['DisableFailover', parameters.noFailover ? 'On' : 'Off'],
    ['Timeout', String(parameters.timeout / 1000)],
    ['FailoverAttempts', String(attempts)],
    ['Method', parameters.lbmethod],
  ]
  return html`<section><h2>LoadBalancer Status for <a href="${linkTo(parts, balancer, null)}">${name}</a></h2>
<p class="facts">${facts.map(([term, value]) => html`<span>${term} <b>${value}</b></span> `)}</p>
<div class="scroll"><table><tr>${COLUMNS.map(({ name, isNumber }) => html`<th${isNumber ? raw(' class="number"') : ''}>${name}</th>`)}</tr>
${members.map((member) => rowOf(balancer, member, parts))}</table></div></section>
`
}

function rowOf(balancer: ProxyBalancer, member: ProxyMember, parts: PageParts): Html {
  const { inError, failsChecks, disabled, stopped, draining } = proxyWorkerStates
  const { status } = member
  const kind = (status & (inError | failsChecks)) !== 0 ? 'bad' : (status & (disabled | stopped | draining)) !== 0 ? 'off' : 'ok'
  const [first, ...cells] = COLUMNS.map(({ name, isNumber, of }) => {
    const style = name === 'Status' ? kind : isNumber ? 'number' : ''
    const value = of(member)
    // Narrow screens show each value with the name of its column, and none that is empty.
    return html`<td${style === '' ? '' : raw(` class="${style}"`)} data-name="${name}">${
      name === 'Worker URL' ? html`<a href="${linkTo(parts, balancer, member)}">${value}</a>` : value
    }</td>`
  })
  return html`<tr>
${first}${cells}</tr>
`
}

interface Column {
  readonly name: string
  readonly isNumber: boolean
  of(member: ProxyMember): string
}

const COLUMNS: readonly Column[] = [
  { name: 'Worker URL', isNumber: false, of: ({ name }) => name },
  { name: 'Route', isNumber: false, of: ({ route }) => route },
  { name: 'RouteRedir', isNumber: false, of: ({ redirect }) => redirect },
  { name: 'Factor', isNumber: true, of: ({ lbfactor }) => (lbfactor / 100).toFixed(2) },
  { name: 'Set', isNumber: true, of: ({ lbset }) => String(lbset) },
  { name: 'Status', isNumber: false, of: proxyStatesText },
  { name: 'Elected', isNumber: true, of: ({ elected }) => String(elected) },
  { name: 'Busy', isNumber: true, of: ({ busy }) => String(busy) },
  { name: 'Load', isNumber: true, of: ({ lbStatus }) => String(lbStatus) },
  { name: 'To', isNumber: true, of: ({ sent }) => String(sent) },
  { name: 'From', isNumber: true, of: ({ received }) => String(received) },
]

const SWITCHES: readonly (readonly [letter: string, label: string, state: number])[] = [
  ['I', 'Ignore Errors', proxyWorkerStates.ignoresErrors],
  ['N', 'Draining Mode', proxyWorkerStates.draining],
  ['D', 'Disabled', proxyWorkerStates.disabled],
  ['H', 'Hot Standby', proxyWorkerStates.hotStandby],
  ['R', 'Hot Spare', proxyWorkerStates.hotSpare],
  ['C', 'HC Fail', proxyWorkerStates.failsChecks],
  ['S', 'Stopped', proxyWorkerStates.stopped],
]

function memberForm(balancer: ProxyBalancer, member: ProxyMember, parts: PageParts): Html {
  return html`<section><h2>Edit worker settings for ${member.name}</h2>
<form method="POST" action="${parts.path}">
${field('w_lf', 'Load factor', (member.lbfactor / 100).toFixed(2))}${field('w_ls', 'LB Set', String(member.lbset))}${field('w_wr', 'Route', member.route)}${field('w_rr', 'Route Redirect', member.redirect)}
${SWITCHES.map(([letter, label, state]) => choice(`w_status_${letter}`, label, (member.status & state) !== 0))}
${hidden('w', member.name)}${hidden('b', shortName(balancer))}${hidden('nonce', parts.nonceOf(balancer))}<button type="submit">Submit</button>
</form></section>
`
}

function balancerForm(balancer: ProxyBalancer, parts: PageParts): Html {
  const { parameters, members, freePlaces } = balancer
  const attempts = parameters.maxAttempts ?? Math.max(0, members.length - 1)
  const session = sessionText(parameters) ?? ''
  const options = parts.methods.map(
    (name) => html`<option value="${name}"${name === parameters.lbmethod ? raw(' selected') : ''}>${name}</option>`,
  )
  const another =
    freePlaces > 0
      ? html`${field('b_nwrkr', 'Add New Worker (URL)', '')}<fieldset><legend>Are you sure?</legend><label><input type="checkbox" name="b_wyes" value="1"> Yes</label></fieldset>\n`
      : ''
  return html`<section><h2>Edit balancer settings for ${balancer.name}</h2>
<form method="POST" action="${parts.path}">
<label>LBmethod<select name="b_lbm">${options}</select></label>
${field('b_tmo', 'Timeout', String(parameters.timeout / 1000))}${field('b_max', 'Failover Attempts', String(attempts))}${choice('b_sforce', 'Disable Failover', parameters.noFailover)}${field('b_ss', "Sticky Session ('-' to delete)", session)}${another}
${hidden('b', shortName(balancer))}${hidden('nonce', parts.nonceOf(balancer))}<button type="submit">Submit</button>
</form></section>
`
}

function field(name: string, label: string, value: string): Html {
  return html`<label>${label}<input type="text" name="${name}" value="${value}"></label>\n`
}

function choice(name: string, label: string, isOn: boolean): Html {
  const radio = (value: string, text: string, checked: boolean): Html =>
    html`<label><input type="radio" name="${name}" value="${value}"${checked ? raw(' checked') : ''}> ${text}</label>`
  return html`<fieldset><legend>${label}</legend>${radio('1', 'On', isOn)}${radio('0', 'Off', !isOn)}</fieldset>\n`
}

function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">\n`
}
