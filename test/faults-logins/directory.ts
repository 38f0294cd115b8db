import { basicAuth, hasSlapd, slapd } from '@gatewright/testing'
import type { Fault } from './fault.ts'
import { newcomers, section, serverWith } from './setting.ts'
import { sameLogin } from './visitors.ts'

const NEWCOMERS = 4_000
const PASSWORD = 'right'
const PATH = '/ldap'

function person(uid: string): string {
  return `dn: uid=${uid},dc=example,dc=org\nobjectClass: inetOrgPerson\nuid: ${uid}\ncn: ${uid}\nsn: ${uid}\nuserPassword: ${PASSWORD}\n`
}

/** slapd is ended, and started again. mod_ldap remembers who has logged in. */
export const directoryKilled: Fault = {
  name: 'slapd is ended',
  away: 2_000,
  missing: hasSlapd() ? [] : ['slapd'],
  async arrange(owner) {
    const people = ['alice', 'bob', ...Array.from({ length: NEWCOMERS }, (_, index) => `u${index}`)]
    const directory = await slapd({ ldif: people.map(person).join('\n') })
    owner.teardown(() => directory.close())
    const server = await serverWith(owner, {
      modules: ['ldap', 'authnz_ldap'],
      paths: [PATH],
      lines: [
        'LDAPCacheEntries 8192',
        'LDAPConnectionTimeout 2',
        ...section(PATH, 'AuthBasicProvider ldap', `AuthLDAPURL ldap://127.0.0.1:${directory.port}/dc=example,dc=org?uid`),
      ],
    })
    const newcomer = newcomers(NEWCOMERS)
    const never = { usual: [401], whileAway: [500] }
    return {
      servers: [server],
      visitors: [
        sameLogin('remembered user', { path: PATH, user: 'alice', password: PASSWORD }, { usual: [200], whileAway: [] }),
        sameLogin('remembered user, wrong password', { path: PATH, user: 'alice', password: 'wrong' }, never),
        sameLogin('other user, wrong password', { path: PATH, user: 'bob', password: '' }, { usual: [401], whileAway: [] }),
        sameLogin('unknown user', { path: PATH, user: '*)(uid=*', password: PASSWORD }, never),
        {
          name: 'first login',
          usual: [200],
          whileAway: [500],
          next: () => ({ path: PATH, headers: basicAuth(newcomer(), PASSWORD) }),
        },
      ],
      async prepare() {
        await server.get(PATH, { headers: basicAuth('alice', PASSWORD) })
      },
      end: () => directory.stop(),
      restart: () => directory.restart(),
      isUsed: async () => (await server.get(PATH, { headers: basicAuth(newcomer(), PASSWORD) })).status === 200,
    }
  },
}
