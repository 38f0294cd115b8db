import { existsSync } from 'node:fs'
import { join } from 'node:path'

const PROGRAM = '/usr/sbin/slapd'

/** The user of the scenarios. */
const ENTRIES = `dn: dc=example,dc=org
objectClass: dcObject
objectClass: organization
dc: example
o: example

dn: ou=people,dc=example,dc=org
objectClass: organizationalUnit
ou: people

dn: uid=bench,ou=people,dc=example,dc=org
objectClass: inetOrgPerson
uid: bench
cn: Bench
sn: Bench
userPassword: secret
`

/** A directory that servers ask; it is not compared. */
export const slapd = {
  name: 'slapd',
  isInstalled: () => existsSync(PROGRAM),
  files: [
    { name: 'entries.ldif', content: ENTRIES },
    { name: 'data/.keep', content: '' },
  ],
  // The entries are read before it serves.
  command: ({ root, port }) => [
    'sh',
    '-c',
    `/usr/sbin/slapadd -q -f "$1/server.conf" -l "$1/conf/entries.ldif" && exec ${PROGRAM} -d 0 -f "$1/server.conf" -h "ldap://127.0.0.1:$2/"`,
    'slapd',
    root,
    `${port}`,
  ],

  configuration: (_scenario, { root }) =>
    [
      ...['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`),
      'modulepath /usr/lib/ldap',
      'moduleload back_mdb',
      'database mdb',
      'suffix "dc=example,dc=org"',
      `directory "${join(root, 'conf/data')}"`,
      'index uid eq',
      'access to attrs=userPassword by anonymous auth by * none',
      'access to * by * read',
      '',
    ].join('\n'),
}
