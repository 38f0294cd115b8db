import type { Trial } from './trial.ts'

/** The visible effect of the modules of WebDAV. */
export const DAV: Readonly<Record<string, Trial>> = {
  dav: {
    directive: 'DavMinTimeout 600',
    config: [],
    async shows(t, server) {
      t.match(await server.get('/dav-place/f.txt'), { status: 200, body: 'f\n' })
    },
  },
  dav_fs: {
    directive: 'DavLockDB locks',
    config: ['DavLockDB locks', 'Alias /dav-place/ @ROOT@/htdocs/', '<Location /dav-place/>', 'Dav On', '</Location>'],
    async shows(t, server) {
      t.match(await server.get('/dav-place/.DAV/x'), { status: 403 })
    },
  },
  dav_lock: {
    directive: 'DavGenericLockDB locks',
    config: ['<Location "/locks">', 'DavGenericLockDB generic-locks', '</Location>'],
    async shows(t, server) {
      t.equal((await server.run('-t')).status, 0)
    },
  },
}
