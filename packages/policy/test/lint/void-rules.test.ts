import t from 'tap'
import { testRule } from '../support/rule-cases.ts'

const OPEN = '<Directory "@DOCS@">\nAllowOverride All\nRequire all granted\n</Directory>\n'
const ASKS = 'AuthType Basic\nAuthName x\nRequire valid-user\n'
const DENIED_IN_BOTH =
  '<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>\n<IfModule !mod_authz_core.c>\nDeny from all\n</IfModule>\n'

testRule(t, {
  id: 'GW001',
  finds: [
    {
      about: 'a Deny beside Satisfy Any where Require grants to everybody',
      config: OPEN,
      docs: { 'shut/.htaccess': 'Order deny,allow\nDeny from all\nSatisfy any\n', 'shut/a b.txt': 'x' },
      at: 'shut/.htaccess:2',
      message: /^Deny from all denies nobody/,
      target: '/shut/a%20b.txt',
    },
    {
      about: "a Require below a parent's Satisfy Any",
      config: '<Directory "@DOCS@">\nAllowOverride All\nOrder allow,deny\nAllow from all\nSatisfy any\n</Directory>',
      docs: { 'shut/.htaccess': 'Require all denied\n' },
      at: 'shut/.htaccess:1',
      message: /Require has no effect.*from <Directory/,
    },
    {
      about: 'Satisfy Any alone beside Require',
      config: `<Directory "@DOCS@">\nSatisfy any\n${ASKS}</Directory>`,
      at: 'httpd.conf:5',
      message: /no Order, Allow or Deny/,
    },
  ],
  leaves: [
    {
      about: 'Satisfy Any that lifts the Require of an outer folder',
      config: `<Directory "@DOCS@">\nAllowOverride All\n${ASKS}</Directory>`,
      docs: { 'free/.htaccess': 'Order allow,deny\nAllow from all\nSatisfy any\n' },
    },
    {
      about: 'Satisfy Any that lets a network in without a password',
      config: `<Directory "@DOCS@">\nOrder deny,allow\nDeny from all\nAllow from 10\nSatisfy any\n${ASKS}</Directory>`,
    },
  ],
})

testRule(t, {
  id: 'GW002',
  finds: [
    {
      about: 'a Deny for 2.2 only',
      config: OPEN,
      docs: { 'shut/.htaccess': '<IfModule !mod_authz_core.c>\nOrder allow,deny\nDeny from all\n</IfModule>\n' },
      at: 'shut/.htaccess:1',
    },
    {
      about: 'a Require that waits for a module that is not loaded',
      config: `${OPEN}<Directory "@DOCS@/shut">\n<IfModule mod_nothing.c>\nRequire all denied\n</IfModule>\n</Directory>`,
      docs: { 'shut/f.txt': 'x' },
      at: 'httpd.conf:6',
      target: '/shut/f.txt',
    },
    {
      about: 'a Require that waits for -D',
      config: `${OPEN}<Directory "@DOCS@/shut">\n<IfDefine SHUT>\nRequire all denied\n</IfDefine>\n</Directory>`,
      docs: { 'shut/': '' },
      at: 'httpd.conf:6',
    },
  ],
  leaves: [
    { about: 'the same rule in both dialects', config: OPEN, docs: { 'shut/.htaccess': DENIED_IN_BOTH } },
    {
      about: 'the same rule in both dialects for some files',
      config: OPEN,
      docs: { '.htaccess': `<Files "*.inc">\n${DENIED_IN_BOTH}</Files>\n`, 'a.inc': 'x' },
    },
    {
      about: 'what is to hold where mod_rewrite is missing',
      config: OPEN,
      docs: { 'shut/.htaccess': '<IfModule !mod_rewrite.c>\nRequire all denied\n</IfModule>\n' },
    },
    {
      about: 'a skipped branch that opens',
      config: OPEN,
      docs: { 'free/.htaccess': '<IfModule !mod_authz_core.c>\nOrder allow,deny\nAllow from all\n</IfModule>\n' },
    },
  ],
})

testRule(t, {
  id: 'GW003',
  finds: [
    {
      about: 'a .htaccess file under AllowOverride None',
      config: '<Directory "@DOCS@">\nAllowOverride None\nRequire all granted\n</Directory>',
      docs: { 'shut/.htaccess': '# closed\nDeny from all\n' },
      at: 'shut/.htaccess:2',
      message: /AllowOverride is None/,
    },
    {
      about: 'a .htaccess file whose rules Nonfatal=Override passes over',
      config: '<Directory "@DOCS@">\nAllowOverride FileInfo Nonfatal=Override\nRequire all granted\n</Directory>',
      docs: { 'shut/.htaccess': 'Require all denied\n' },
      at: 'shut/.htaccess:1',
      message: /are ignored/,
    },
    {
      about: 'a <Files> section for a file that is there',
      config: '<Directory "@DOCS@">\nAllowOverride None\nRequire all granted\n</Directory>',
      docs: {
        '.htaccess': '<Files "*.inc">\nRequire all denied\n</Files>\n<Files "*.sql">\nRequire all denied\n</Files>\n',
        'db.sql': 'x',
      },
      at: '.htaccess:4',
      target: '/db.sql',
    },
    {
      about: 'both dialects where neither is read',
      config: '<Directory "@DOCS@">\nAllowOverride None\nRequire all granted\n</Directory>',
      docs: { 'shut/.htaccess': DENIED_IN_BOTH },
      at: 'shut/.htaccess:1',
    },
  ],
  leaves: [
    { about: 'a file that is read', config: OPEN, docs: { 'shut/.htaccess': 'Deny from all\n' } },
    {
      about: 'a file that is not read in a folder that the configuration closes',
      config: `${OPEN}<Directory "@DOCS@/shut">\nAllowOverride None\nRequire all denied\n</Directory>`,
      docs: { 'shut/.htaccess': 'Deny from all\n' },
    },
    {
      about: 'a file that is not read and opens',
      config: '<Directory "@DOCS@">\nAllowOverride None\nRequire all granted\n</Directory>',
      docs: { 'free/.htaccess': 'Order allow,deny\nAllow from all\n' },
    },
  ],
})

testRule(t, {
  id: 'GW007',
  finds: [
    {
      about: 'a <RequireAll> of negations',
      config: OPEN,
      docs: { '.htaccess': '<RequireAll>\nRequire not ip 10\nRequire not ip 11\n</RequireAll>\n' },
      at: '.htaccess:1',
    },
    {
      about: 'a <RequireNone> alone in a <RequireAll>',
      config: OPEN,
      docs: { '.htaccess': '<RequireAll>\n<RequireNone>\nRequire ip 10\n</RequireNone>\n</RequireAll>\n' },
      at: '.htaccess:1',
    },
  ],
  leaves: [
    {
      about: 'negations beside a grant',
      config: OPEN,
      docs: { '.htaccess': '<RequireAll>\nRequire all granted\nRequire not ip 192.0.2\n</RequireAll>\n' },
    },
  ],
})

testRule(t, {
  id: 'GW008',
  finds: [
    {
      about: 'Require all granted beside a Require for users',
      config: `<Directory "@DOCS@">\nRequire all granted\n${ASKS}</Directory>`,
      at: 'httpd.conf:2',
    },
  ],
  leaves: [
    {
      about: 'Require all granted in a <RequireAll>',
      config: '<Directory "@DOCS@">\n<RequireAll>\nRequire all granted\nRequire not ip 10\n</RequireAll>\n</Directory>',
    },
  ],
})

testRule(t, {
  id: 'GW018',
  finds: [
    {
      about: 'Allow from a network without any Deny',
      config: '<Directory "@DOCS@">\nOrder deny,allow\nAllow from 10.0.0.0/8\n</Directory>',
      at: 'httpd.conf:3',
    },
    {
      about: 'Allow from a network without Order',
      config: OPEN,
      docs: { 'shut/.htaccess': 'Allow from 192.168\n' },
      at: 'shut/.htaccess:1',
    },
  ],
  leaves: [
    { about: 'Order allow,deny', config: '<Directory "@DOCS@">\nOrder allow,deny\nAllow from 10.0.0.0/8\n</Directory>' },
    {
      about: 'Allow beside Deny from all',
      config: '<Directory "@DOCS@">\nOrder deny,allow\nDeny from all\nAllow from 10.0.0.0/8\n</Directory>',
    },
    { about: 'Allow from all', config: '<Directory "@DOCS@">\nOrder deny,allow\nAllow from all\n</Directory>' },
    { about: 'Allow where Require keeps strangers out', config: `<Directory "@DOCS@">\nAllow from 10\n${ASKS}</Directory>` },
  ],
})

testRule(t, {
  id: 'GW019',
  finds: [
    {
      about: 'Require not user where everybody is let in',
      config: '<Directory "@DOCS@">\n<RequireAll>\nRequire all granted\nRequire not user bob\n</RequireAll>\n</Directory>',
      at: 'httpd.conf:4',
    },
  ],
  leaves: [
    {
      about: 'Require not user beside valid-user',
      config:
        '<Directory "@DOCS@">\nAuthType Basic\nAuthName x\n<RequireAll>\nRequire valid-user\nRequire not user bob\n</RequireAll>\n</Directory>',
    },
  ],
})
