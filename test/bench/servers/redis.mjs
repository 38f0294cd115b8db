import { isInstalled } from './programs.mjs'

/** A cache that servers share; it is not compared. */
export const redis = {
  name: 'redis',
  isInstalled: () => isInstalled('redis-server'),
  command: ({ root }) => ['redis-server', `${root}/server.conf`],
  configuration: (_scenario, { root, port }) =>
    [`port ${port}`, 'bind 127.0.0.1', 'save ""', 'appendonly no', 'loglevel warning', `dir "${root}"`, ''].join('\n'),
}
