// Random Order, Allow, Deny and Satisfy lines.
import { limited } from './limits.mjs'

const ORDERS = ['deny,allow', 'allow,deny', 'Deny,Allow', 'Allow,Deny', 'mutual-failure', 'Mutual-Failure']
const NAMES = ['localhost', 'example.org', '.example.org', 'ocalhost', 'None', '%{REMOTE_ADDR}']
const WORDS = [
  [4, ['all', 'ALL']],
  [
    7,
    [
      '127.0.0.1',
      '127.0.0.2',
      '127.0.0',
      '127.',
      '127.0.0.0/30',
      '127.0.0.4/255.255.255.252',
      '127.0.0.5',
      '::1',
      '::1/128',
      '10.1',
      '10.0.0.0/8',
      '192.168',
      '127.0.0.2/31',
      '127.0.0.3/255.0.0.253',
    ],
  ],
  [4, ['env=flag', 'env=!flag', 'env=nosuch', 'env=!nosuch', 'env=flag_off', 'ENV=near', 'env=', 'env=!', 'env=late']],
]

/** Order, Allow and Deny lines in any sequence, each perhaps absent; Satisfy now and then, and parts of it for some methods only. */
export function hostControl(rng, site) {
  const out = orderAllowDeny(rng, site)
  if (rng.chance(0.15)) out.push(limited(rng, orderAllowDeny(rng, site)))
  if (rng.chance(0.45)) {
    const satisfy = `Satisfy ${rng.pick(['any', 'Any', 'all', 'any', 'ALL'])}`
    out.push(rng.chance(0.15) ? limited(rng, [satisfy]) : satisfy)
  }
  return out
}

function orderAllowDeny(rng, site) {
  const out = rng.chance(0.8) ? [`Order ${rng.pick(ORDERS)}`] : []
  for (const name of ['Allow', 'Deny']) {
    const lines = rng.weighted([
      [3, 0],
      [5, 1],
      [2, 2],
    ])
    for (let index = 0; index < lines; index++) out.splice(rng.below(out.length + 1), 0, `${name} from ${words(rng, site)}`)
  }
  return out.length > 0 ? out : ['Order deny,allow']
}

function words(rng, { subrequests }) {
  return Array.from(
    {
      length: rng.weighted([
        [4, 1],
        [2, 2],
        [1, 3],
      ]),
    },
    () => rng.pick(rng.weighted([...WORDS, [subrequests ? 0 : 1, NAMES]])),
  ).join(' ')
}
