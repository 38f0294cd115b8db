import t from 'tap'
import { testRule } from '../support/rule-cases.ts'

const OPEN = '<Directory "@DOCS@">\nAllowOverride All\nRequire all granted\n</Directory>\n'
const shut = (rules: string): string => `<Directory "@DOCS@">\n${rules}\n</Directory>\n`

testRule(t, {
  id: 'GW010',
  finds: [
    { about: 'Require ip 127.0.0.1', config: shut('Require ip 127.0.0.1'), at: 'httpd.conf:2' },
    { about: 'Allow from 127.0.0.1', config: shut('Order deny,allow\nDeny from all\nAllow from 127.0.0.1'), at: 'httpd.conf:4' },
  ],
  leaves: [
    { about: 'both addresses', config: shut('Require ip 127.0.0.1 ::1') },
    { about: 'Require local beside it', config: shut('Require ip 127.0.0.1\nRequire local') },
    { about: 'a place that is open to all', config: shut('Require ip 127.0.0.1\nRequire all granted') },
  ],
})

testRule(t, {
  id: 'GW023',
  finds: [
    {
      about: 'the classic of 2.2',
      config: shut('Order allow,deny\nDeny from all\nAllow from 10.1.2.3'),
      at: 'httpd.conf:4',
      message: /Allow from 10\.1\.2\.3 admits nobody/,
    },
  ],
  leaves: [
    { about: 'the other order', config: shut('Order deny,allow\nDeny from all\nAllow from 10.1.2.3') },
    { about: 'no Deny', config: shut('Order allow,deny\nAllow from 10.1.2.3') },
    { about: 'nothing that could be meant as an exception', config: shut('Order allow,deny\nDeny from all') },
  ],
})

testRule(t, {
  id: 'GW024',
  finds: [
    {
      about: 'a folder that only looks open',
      config:
        '<Directory "@DOCS@">\nOrder deny,allow\nDeny from all\n</Directory>\n<Directory "@DOCS@/a">\nRequire all granted\n</Directory>',
      docs: { 'a/index.html': 'x' },
      at: 'httpd.conf:6',
      message: /does not take back the Order, Allow and Deny lines/,
    },
  ],
  leaves: [
    {
      about: 'Satisfy Any',
      config:
        '<Directory "@DOCS@">\nOrder deny,allow\nDeny from all\nSatisfy Any\n</Directory>\n<Directory "@DOCS@/a">\nRequire all granted\n</Directory>',
      docs: { 'a/index.html': 'x' },
    },
    {
      about: 'Allow from all in the folder',
      config:
        '<Directory "@DOCS@">\nDeny from all\n</Directory>\n<Directory "@DOCS@/a">\nOrder allow,deny\nAllow from all\nRequire all granted\n</Directory>',
      docs: { 'a/index.html': 'x' },
    },
  ],
})

testRule(t, {
  id: 'GW011',
  finds: [
    {
      about: 'Deny beside Require all granted',
      config: shut('Require all granted\nOrder deny,allow\nDeny from 10'),
      at: 'httpd.conf:3',
      message: /Order deny,allow and Require all granted \(line 2\) apply together/,
    },
  ],
  leaves: [
    {
      about: 'Order beside a Require for users, as 2.2 has it',
      config: shut('AuthType Basic\nAuthName x\nOrder allow,deny\nAllow from all\nRequire valid-user'),
    },
    {
      about: 'each dialect in a guard of its own',
      config: shut(
        '<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>\n<IfModule mod_access_compat.c>\nDeny from all\n</IfModule>',
      ),
    },
  ],
})

testRule(t, {
  id: 'GW012',
  finds: [
    {
      about: 'a file of users among the documents',
      config: `${OPEN}<Location "/a">\nAuthUserFile "@DOCS@/private/users.txt"\n</Location>`,
      docs: { 'private/users.txt': 'alice:x' },
      at: 'httpd.conf:6',
      target: '/private/users.txt',
    },
    {
      about: 'a file of groups that a .htaccess file names',
      config: `${OPEN}`,
      docs: { '.htaccess': 'AuthGroupFile docs/groups\n', groups: 'a: b' },
      at: '.htaccess:1',
    },
  ],
  leaves: [
    {
      about: 'a file of users that is closed',
      config: `${OPEN}<Files ".ht*">\nRequire all denied\n</Files>\n<Location "/a">\nAuthUserFile "@DOCS@/.htpasswd"\n</Location>`,
      docs: { '.htpasswd': 'alice:x' },
    },
    {
      about: 'a file elsewhere, and one that is missing',
      config: `${OPEN}<Location "/a">\nAuthUserFile conf/users\nAuthGroupFile "@DOCS@/groups"\n</Location>`,
    },
  ],
})

testRule(t, {
  id: 'GW013',
  finds: [
    {
      about: 'server-status without rules of its own',
      config: `${OPEN}<Location "/server-status">\nSetHandler server-status\n</Location>`,
      at: 'httpd.conf:5',
      target: '/server-status',
    },
    {
      about: 'server-status open to all',
      config: '<Location "/server-status">\nSetHandler server-status\nRequire all granted\n</Location>',
      at: 'httpd.conf:3',
    },
  ],
  leaves: [
    {
      about: 'server-status for the machine itself',
      config: `${OPEN}<Location "/server-status">\nSetHandler server-status\nRequire local\n</Location>`,
    },
  ],
})

testRule(t, {
  id: 'GW014',
  finds: [
    {
      about: 'a private network on a server that logs X-Forwarded-For',
      config: `LogFormat "%{X-Forwarded-For}i %h" proxied\n${shut('Require ip 10.0.0.0/8')}`,
      at: 'httpd.conf:3',
      message: /LogFormat reads X-Forwarded-For in .*httpd\.conf:1/,
      hint: /if there is none, remove the field from the LogFormat line/,
    },
    {
      about: 'a private network on a server that reads X-Forwarded-For into a variable',
      config: `SetEnvIf X-Forwarded-For "(.+)" proxied=$1\n${shut('Require ip 10.0.0.0/8')}`,
      at: 'httpd.conf:3',
      message: /SetEnvIf reads X-Forwarded-For in .*httpd\.conf:1/,
      hint: /if there is none, remove the SetEnvIf line, because clients can write anything into the field/,
    },
  ],
  leaves: [
    { about: 'a private network where there is no sign of a proxy', config: shut('Require ip 10.0.0.0/8') },
    {
      about: 'a private network behind mod_remoteip',
      config: `LogFormat "%{X-Forwarded-For}i %h" proxied\nRemoteIPHeader X-Forwarded-For\nRemoteIPInternalProxy 10.0.0.1\n${shut('Require ip 10.0.0.0/8')}`,
    },
    {
      about: 'a network of the Internet',
      config: `LogFormat "%{X-Forwarded-For}i %h" proxied\n${shut('Require ip 198.51.100.0/24')}`,
    },
  ],
})

testRule(t, {
  id: 'GW015',
  finds: [
    {
      about: 'a RemoteIPHeader without proxies',
      config: `RemoteIPHeader X-Forwarded-For\n${shut('Require ip 198.51.100.0/24')}`,
      at: 'httpd.conf:1',
    },
    {
      about: 'a variable that X-Forwarded-For sets',
      config: `SetEnvIf X-Forwarded-For "^10\\." inside\n${shut('Require env inside')}`,
      at: 'httpd.conf:1',
    },
    {
      about: 'the same in the old dialect',
      config: OPEN,
      docs: {
        '.htaccess': 'SetEnvIf X-Real-IP ^192\\.168\\.1\\.5$ inside\nOrder deny,allow\nDeny from all\nAllow from env=inside\n',
      },
      at: '.htaccess:1',
    },
  ],
  leaves: [
    {
      about: 'a RemoteIPHeader from a proxy that is named',
      config: `RemoteIPHeader X-Forwarded-For\nRemoteIPInternalProxy 10.0.0.1\n${shut('Require ip 198.51.100.0/24')}`,
    },
    {
      about: 'a variable that lets nobody in',
      config: `SetEnvIf X-Forwarded-For "^10\\." inside\n${shut('Require all denied')}`,
    },
    { about: 'a RemoteIPHeader where everything is open', config: `RemoteIPHeader X-Forwarded-For\n${OPEN}` },
  ],
})

testRule(t, {
  id: 'GW016',
  finds: [
    {
      about: 'the proxy among those who may come in',
      config: `RemoteIPHeader X-Forwarded-For\nRemoteIPInternalProxy 10.0.0.1\n${shut('Require ip 10.0.0.1')}`,
      at: 'httpd.conf:4',
    },
  ],
  leaves: [
    {
      about: 'clients behind the proxy',
      config: `RemoteIPHeader X-Forwarded-For\nRemoteIPInternalProxy 10.0.0.1\n${shut('Require ip 10.0.0.2')}`,
    },
  ],
})
