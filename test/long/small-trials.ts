import { chmodSync, mkdirSync } from 'node:fs'
import { until } from '../fixtures/until.ts'
import { filtered } from './filter-trials.ts'
import type { Trial } from './trial.ts'

/** A module whose effect is only that its lines are understood, in a server that runs. */
const understood: Trial['shows'] = async (t, server) => {
  t.equal((await server.run('-t')).status, 0)
}

/** The visible effect of each of the small modules. */
export const SMALL: Readonly<Record<string, Trial>> = {
  cache: {
    directive: 'CacheHeader off',
    config: ['CacheHeader on', 'CacheEnable disk /cached.txt', 'CacheMinExpire 600', 'CacheRoot @ROOT@/cached'],
    async shows(t, server) {
      server.file('htdocs/cached.txt', 'cached\n')
      // The workers may have another user.
      mkdirSync(server.path('cached'))
      chmodSync(server.path('cached'), 0o777)
      for (const outcome of ['MISS', 'HIT']) {
        const { headers, body } = await server.get('/cached.txt')
        t.match({ outcome: headers['x-cache'], body }, { outcome: new RegExp(`^${outcome} `), body: 'cached\n' })
      }
    },
  },
  cache_disk: {
    directive: 'CacheDirLevels 1',
    config: ['CacheDirLevels 1'],
    async shows(t, server) {
      t.equal((await server.get('/cached.txt')).headers['x-cache']?.toString().split(' ')[0], 'HIT')
    },
  },
  cache_socache: {
    directive: 'CacheSocacheMaxTime 60',
    config: ['CacheSocacheMaxTime 60'],
    async shows(t, server) {
      t.equal((await server.get('/cached.txt')).status, 200)
    },
  },
  cern_meta: {
    directive: '<Location />\nMetaFiles on\n</Location>',
    config: filtered('cern_meta', 'MetaFiles on'),
    async shows(t, server) {
      server.file('htdocs/.web/f.txt.meta', 'X-Meta: of the file\n')
      t.equal((await server.get('/filtered-by-cern_meta/f.txt')).headers['x-meta'], 'of the file')
    },
  },
  dialup: {
    directive: '<Location />\nModemStandard V.92\n</Location>',
    config: filtered('dialup', 'ModemStandard V.92'),
    async shows(t, server) {
      t.match(await server.get('/filtered-by-dialup/f.txt'), { status: 200, body: 'f\n' })
    },
  },
  dumpio: {
    directive: 'DumpIOInput On',
    config: ['DumpIOInput On', 'LogLevel dumpio:trace7'],
    async shows(t, server) {
      await server.get('/f.txt?dumped')
      await until('the request is in the error log', () => /dumpio.*GET \/f\.txt\?dumped/.test(server.errors().join('\n')))
      t.pass()
    },
  },
  echo: { directive: 'ProtocolEcho Off', config: ['ProtocolEcho Off'], shows: understood },
  ident: { directive: 'IdentityCheck Off', config: ['IdentityCheck Off'], shows: understood },
  imagemap: {
    directive: '<Location />\nImapBase map\n</Location>',
    config: filtered('imagemap', 'SetHandler imap-file'),
    async shows(t, server) {
      server.file('htdocs/areas.map', 'rect http://areas.example/ 0,0 10,10\n')
      const { status, headers } = await server.get('/filtered-by-imagemap/areas.map?5,5')
      t.match({ status, location: headers.location }, { status: 302, location: 'http://areas.example/' })
    },
  },
  log_debug: {
    directive: '<Location />\nLogMessage x\n</Location>',
    config: filtered('log_debug', 'LogMessage "seen by log_debug"', 'LogLevel info'),
    async shows(t, server) {
      await server.get('/filtered-by-log_debug/f.txt')
      await until('the message is in the error log', () => server.errors().join('\n').includes('seen by log_debug'))
      t.pass()
    },
  },
  log_forensic: {
    directive: 'ForensicLog logs/forensic_log',
    config: ['ForensicLog logs/forensic_log'],
    async shows(t, server) {
      await server.get('/f.txt?forensic')
      await until('the request is in the forensic log', () =>
        /^\+[^|]+\|GET \/f\.txt\?forensic HTTP\/1\.1\|/m.test(server.read('logs/forensic_log')),
      )
      t.pass()
    },
  },
  mime_magic: {
    directive: 'MimeMagicFile conf/magic',
    config: ['MimeMagicFile conf/magic'],
    async shows(t, server) {
      // A test needs 64 bytes of the file.
      server.file('htdocs/picture-without-ending', `GIF89a${' '.repeat(100)}`)
      t.equal((await server.get('/picture-without-ending')).headers['content-type'], 'image/gif')
    },
  },
  slotmem_plain: {
    config: [],
    async shows(t, server) {
      t.ok((await server.run('-M')).stdout.includes(' slotmem_plain_module (shared)'))
    },
  },
  speling: {
    directive: '<Location />\nCheckSpelling on\n</Location>',
    config: filtered('speling', 'CheckSpelling on'),
    async shows(t, server) {
      server.file('htdocs/misspelt.txt', 'found\n')
      const { status, headers } = await server.get('/filtered-by-speling/mispelt.txt')
      t.equal(status, 301)
      t.match(headers.location, /\/filtered-by-speling\/misspelt\.txt$/)
    },
  },
  unique_id: {
    config: filtered('unique_id', 'Header set X-Unique "%{UNIQUE_ID}e"'),
    async shows(t, server) {
      t.match((await server.get('/filtered-by-unique_id/f.txt')).headers['x-unique'], /^[\w@-]{20,}$/)
    },
  },
  usertrack: {
    directive: '<Location />\nCookieTracking on\n</Location>',
    config: filtered('usertrack', 'CookieTracking on'),
    async shows(t, server) {
      t.match((await server.get('/filtered-by-usertrack/f.txt')).headers['set-cookie'], [/^Apache=/])
    },
  },
}
