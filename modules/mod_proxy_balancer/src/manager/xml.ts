import { type ProxyBalancer, type ProxyMember, proxyStatesText } from '@gatewright/api'
import { escapeHtml } from '@gatewright/api/text'

/** The form for programs, `?xml=1`. */
export function managerXml(balancers: readonly ProxyBalancer[], nonceOf: (balancer: ProxyBalancer) => string): string {
  return `<?xml version='1.0' encoding='UTF-8' ?>
<httpd:manager xmlns:httpd='http://httpd.apache.org'>
  <httpd:balancers>
${balancers.map((balancer) => balancerXml(balancer, nonceOf(balancer))).join('')}  </httpd:balancers>
</httpd:manager>`
}

type Elements = readonly (readonly [name: string, value: string | number])[]

function elements(indent: string, list: Elements): string {
  return list.map(([name, value]) => `${indent}<httpd:${name}>${escapeHtml(String(value))}</httpd:${name}>\n`).join('')
}

function balancerXml({ name, parameters, members }: ProxyBalancer, nonce: string): string {
  const { stickySession, noFailover, timeout, maxAttempts, lbmethod, scolonPathDelimiter } = parameters
  const attempts = maxAttempts ?? Math.max(0, members.length - 1)
  const list: Elements = [
    ['name', name],
    ['nonce', nonce],
    ...(stickySession === null
      ? []
      : ([
          ['stickysession', stickySession],
          ['nofailover', onOff(noFailover)],
        ] as const)),
    ['timeout', timeout / 1000],
    ...(attempts === 0 ? [] : ([['maxattempts', attempts]] as const)),
    ['lbmethod', lbmethod],
    ...(stickySession === null ? [] : ([['scolonpathdelim', onOff(scolonPathDelimiter)]] as const)),
  ]
  return `    <httpd:balancer>
${elements('      ', list)}      <httpd:workers>
${members.map(memberXml).join('')}      </httpd:workers>
    </httpd:balancer>
`
}

function memberXml(member: ProxyMember): string {
  const factor = (member.lbfactor / 100).toFixed(2)
  const list: Elements = [
    ['name', member.name],
    ['scheme', member.scheme],
    ['hostname', member.hostname],
    ['loadfactor', factor],
    ['port', member.port],
    ['status', proxyStatesText(member)],
    ['retries', member.retries],
    ['lbstatus', member.lbStatus],
    ['transferred', member.sent],
    ['read', member.received],
    ['elected', member.elected],
    ['route', member.route],
    ['redirect', member.redirect],
    ['busy', member.busy],
    ['lbset', member.lbset],
  ]
  return `        <httpd:worker>\n${elements('          ', list)}        </httpd:worker>\n`
}

function onOff(flag: boolean): string {
  return flag ? 'On' : 'Off'
}
