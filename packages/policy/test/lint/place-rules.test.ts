import t from 'tap'
import { testRule } from '../support/rule-cases.ts'

const OPEN = '<Directory "@DOCS@">\nAllowOverride All\nRequire all granted\n</Directory>\n'
const ASKS = 'AuthType Basic\nAuthName x\nRequire valid-user\n'

testRule(t, {
  id: 'GW004',
  finds: [
    {
      about: 'a <Location> for everything over a closed folder',
      config: '<Directory "@DOCS@/shut">\nRequire all denied\n</Directory>\n<Location "/">\nRequire all granted\n</Location>',
      docs: { 'shut/f.txt': 'x' },
      at: 'httpd.conf:2',
      message: /<Location "\/"> \(.*httpd\.conf:4\) opens/,
      target: '/shut/f.txt',
    },
    {
      about: 'a <Location> with old rules over a .htaccess file',
      config: `${OPEN}<Location "/">\nOrder allow,deny\nAllow from all\n</Location>`,
      docs: { 'shut/.htaccess': 'Order deny,allow\nDeny from all\n' },
      at: 'shut/.htaccess:2',
    },
    {
      about: 'a <Location> over a file of a name that is closed everywhere',
      config: '<Files ".ht*">\nRequire all denied\n</Files>\n<Location "/app">\nRequire all granted\n</Location>',
      docs: { 'app/.htpasswd': 'x' },
      at: 'httpd.conf:2',
      target: '/app/.htpasswd',
    },
  ],
  leaves: [
    {
      about: 'a <Location> that opens one place below a closed folder',
      config: `<Directory "@DOCS@">\n${ASKS}</Directory>\n<Location "/.well-known">\nRequire all granted\n</Location>`,
      docs: { '.well-known/f.txt': 'x' },
    },
    {
      about: 'a <Location> where no file of the closed name is',
      config: '<Files ".ht*">\nRequire all denied\n</Files>\n<Location "/app">\nRequire all granted\n</Location>',
      docs: { 'app/f.txt': 'x' },
    },
    {
      about: 'the closed root of the file system',
      config: `<Directory />\nRequire all denied\n</Directory>\n${OPEN}`,
    },
  ],
})

testRule(t, {
  id: 'GW005',
  finds: [
    {
      about: 'a second URL by Alias',
      config: `${OPEN}Alias "/files" "@DOCS@/shut"\n<Location "/shut">\nRequire all denied\n</Location>`,
      docs: { 'shut/f.txt': 'x' },
      at: 'httpd.conf:7',
    },
  ],
  leaves: [
    {
      about: 'a second URL of a folder that <Directory> closes',
      config: `${OPEN}Alias "/files" "@DOCS@/shut"\n<Directory "@DOCS@/shut">\nRequire all denied\n</Directory>`,
      docs: { 'shut/f.txt': 'x' },
    },
    {
      about: 'two URLs that are both closed',
      config: `${OPEN}Alias "/files" "@DOCS@/shut"\n<LocationMatch "^/(shut|files)">\nRequire all denied\n</LocationMatch>`,
      docs: { 'shut/f.txt': 'x' },
    },
  ],
})

testRule(t, {
  id: 'GW006',
  finds: [
    {
      about: 'a <Location> for a folder that is called otherwise',
      config: `${OPEN}<Location "/Admin">\nRequire all denied\n</Location>`,
      docs: { 'admin/index.html': 'x' },
      at: 'httpd.conf:5',
      target: '/admin/',
    },
    {
      about: 'a <Directory> for a folder that is called otherwise',
      config: `${OPEN}<Directory "@DOCS@/Private/Data">\n${ASKS}</Directory>`,
      docs: { 'private/data/index.html': 'x' },
      at: 'httpd.conf:5',
      target: '/private/data/',
    },
    {
      about: 'a file in capitals beside a pattern in small letters',
      config: `${OPEN}<FilesMatch "\\.sql$">\nRequire all denied\n</FilesMatch>`,
      docs: { 'DUMP.SQL': 'x' },
      at: 'httpd.conf:6',
      target: '/DUMP.SQL',
    },
    {
      about: 'an extension that has a handler in any case',
      config: `${OPEN}AddHandler cgi-script .cgi\n<FilesMatch "\\.cgi$">\nRequire all denied\n</FilesMatch>`,
      at: 'httpd.conf:7',
      message: /the handler cgi-script serves/,
    },
  ],
  leaves: [
    {
      about: 'a pattern that begins with (?i)',
      config: `${OPEN}AddHandler cgi-script .cgi\n<FilesMatch "(?i)\\.(cgi|sql)$">\nRequire all denied\n</FilesMatch>`,
      docs: { 'DUMP.SQL': 'x' },
    },
    {
      about: 'a <Location> for something that is no file, or that is there',
      config: `${OPEN}<Location "/Server-Status">\nRequire all denied\n</Location>\n<Location "/Docs">\nRequire all denied\n</Location>`,
      docs: { 'Docs/f.txt': 'x', 'docs/f.txt': 'x' },
    },
    {
      about: 'an extension without a handler',
      config: `${OPEN}<FilesMatch "\\.inc$">\nRequire all denied\n</FilesMatch>`,
      docs: { 'a.inc': 'x' },
    },
  ],
})

testRule(t, {
  id: 'GW009',
  finds: [
    {
      about: 'two sections for one folder',
      config: '<Directory "@DOCS@">\nRequire ip 10\n</Directory>\n<Directory "@DOCS@/">\nRequire all granted\n</Directory>',
      at: 'httpd.conf:2',
      message: /appears again in .*httpd\.conf:4/,
    },
  ],
  leaves: [
    {
      about: 'a virtual host that says for a folder of its own what the server says otherwise',
      config:
        '<Directory "@DOCS@">\nRequire ip 10\n</Directory>\n<VirtualHost *:80>\nServerName v\nDocumentRoot "@DOCS@"\n<Directory "@DOCS@">\nRequire all granted\n</Directory>\n</VirtualHost>',
    },
    {
      about: 'a folder in a closed one that is open',
      config: '<Directory "@DOCS@">\nRequire ip 10\n</Directory>\n<Directory "@DOCS@/a">\nRequire all granted\n</Directory>',
      docs: { 'a/f.txt': 'x' },
    },
  ],
})

testRule(t, {
  id: 'GW017',
  finds: [
    {
      about: 'rules for GET and POST only',
      config: `${OPEN}<Directory "@DOCS@/shut">\nAuthType Basic\nAuthName x\n<Limit GET POST>\nRequire valid-user\n</Limit>\n</Directory>`,
      docs: { 'shut/f.txt': 'x' },
      at: 'httpd.conf:8',
      message: /<Limit GET POST>.*PUT/,
    },
    {
      about: 'a Deny for GET only',
      config: OPEN,
      docs: { 'shut/.htaccess': '<Limit GET>\nOrder allow,deny\nDeny from all\n</Limit>\n' },
      at: 'shut/.htaccess:1',
      message: /POST/,
    },
  ],
  leaves: [
    {
      about: 'rules for the methods that change something',
      config: `${OPEN}<Directory "@DOCS@/dav">\nAuthType Basic\nAuthName x\n<LimitExcept GET OPTIONS>\nRequire valid-user\n</LimitExcept>\n</Directory>`,
      docs: { 'dav/f.txt': 'x' },
    },
    {
      about: 'a <Limit> whose rest is closed',
      config: `${OPEN}<Directory "@DOCS@/a">\n<Limit GET>\nRequire ip 10\n</Limit>\n<LimitExcept GET>\nRequire all denied\n</LimitExcept>\n</Directory>`,
      docs: { 'a/f.txt': 'x' },
    },
  ],
})

testRule(t, {
  id: 'GW020',
  finds: [
    {
      about: 'a link among the documents into a closed folder',
      config: `${OPEN}<Directory "@DOCS@/shut">\nRequire all denied\n</Directory>`,
      docs: { 'shut/deep/f.txt': 'x', 'open/': '', 'open/link': '->../shut/deep' },
      at: 'httpd.conf:5',
      message: /open\/link, a link to .*shut\/deep, is open/,
      target: '/open/link/f.txt',
    },
  ],
  leaves: [
    {
      about: 'a link into a folder that is open in a closed one',
      config: `${OPEN}<Directory "@DOCS@/shut">\nRequire all denied\n</Directory>\n<Directory "@DOCS@/shut/pub">\nRequire all granted\n</Directory>`,
      docs: { 'shut/pub/f.txt': 'x', link: '->shut/pub' },
    },
    {
      about: 'a link that is closed by its own path, or not followed',
      config: `${OPEN}<Directory "@DOCS@/shut">\nRequire all denied\n</Directory>\n<Directory "@DOCS@/link">\nRequire all denied\n</Directory>\n<Directory "@DOCS@/a">\nOptions None\n</Directory>`,
      docs: { 'shut/f.txt': 'x', link: '->shut', 'a/': '', 'a/link': '->../shut' },
    },
    {
      about: 'a link within the closed folder, and one into a folder that the root alone closes',
      config: `<Directory />\nRequire all denied\n</Directory>\n${OPEN}<Directory "@DOCS@/shut">\nRequire all denied\n</Directory>`,
      docs: { 'shut/f.txt': 'x', 'shut/link': '->f.txt', 'a/f.txt': 'x', link: '->a' },
    },
  ],
})

testRule(t, {
  id: 'GW021',
  finds: [
    {
      about: 'a ban of a folder without its slash',
      config: `${OPEN}RewriteEngine On\nRewriteRule "^/admin$" "-" [F]`,
      docs: { 'admin/index.html': 'x' },
      at: 'httpd.conf:6',
      target: '/admin/',
    },
    {
      about: 'a ban of a file that has another URL by Alias',
      config: `${OPEN}Alias "/b" "@DOCS@/a"\nRewriteEngine On\nRewriteRule "^/a/secret\\.txt$" "-" [L,F]`,
      docs: { 'a/secret.txt': 'x' },
      at: 'httpd.conf:7',
      target: '/b/secret.txt',
    },
  ],
  leaves: [
    {
      about: 'a ban of a folder with everything in it',
      config: `${OPEN}RewriteEngine On\nRewriteRule "^/admin" "-" [F]`,
      docs: { 'admin/index.html': 'x' },
    },
    {
      about: 'a ban of a folder whose list is not to be shown, and of what is not there',
      config: `${OPEN}RewriteEngine On\nRewriteRule "^/images/?$" "-" [F]\nRewriteRule "^/nothing$" "-" [F]`,
      docs: { 'images/a.png': 'x' },
    },
  ],
})

testRule(t, {
  id: 'GW022',
  finds: [
    {
      about: 'a PHP file whose handler stands in a guard that is not read',
      config: `<Directory "@DOCS@">\nRequire all granted\n</Directory>\n<IfModule proxy_fcgi_module>\n<FilesMatch "\\.php$">\nSetHandler x\n</FilesMatch>\n</IfModule>`,
      docs: { 'blog/wp-config.php': '<?php $password = "s3cret";' },
      at: 'httpd.conf:0',
      target: '/blog/wp-config.php',
      message: /is a program \(PHP\), and its source text is served to every client that requests it/,
    },
  ],
  leaves: [
    {
      about: 'a PHP file that is closed',
      config:
        '<Directory "@DOCS@">\nRequire all granted\n</Directory>\n<FilesMatch "\\.php$">\nRequire all denied\n</FilesMatch>',
      docs: { 'wp-config.php': '<?php' },
    },
    {
      about: 'what is no program',
      config: '<Directory "@DOCS@">\nRequire all granted\n</Directory>',
      docs: { 'a.phps': 'x', 'php.txt': 'x', 'x.html': 'x', pl: 'x' },
    },
  ],
})
