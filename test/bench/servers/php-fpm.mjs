import { join } from 'node:path'
import { isInstalled, versionOf } from './programs.mjs'

/** Debian's programs have the version in their names. */
const NAMES = ['php-fpm', 'php-fpm8.4', 'php-fpm8.3', 'php-fpm8.2']
/** A kept connection occupies a process, also while another server is measured. */
const PROCESSES = 128

const installed = () => NAMES.find(isInstalled)

/** A backend that speaks FastCGI; it is not compared. */
export const phpFpm = {
  name: 'php-fpm',
  isInstalled: () => installed() !== undefined,
  version: () => versionOf(installed()),
  command: ({ root }) => [installed() ?? NAMES[0], '--nodaemonize', '--fpm-config', join(root, 'server.conf')],

  configuration: (_scenario, { root, port }) =>
    [
      '[global]',
      `error_log = ${root}/logs/error_log`,
      'log_level = warning',
      '[backend]',
      ...(process.getuid() === 0 ? ['user = daemon', 'group = daemon'] : []),
      `listen = 127.0.0.1:${port}`,
      'pm = static',
      `pm.max_children = ${PROCESSES}`,
      '',
    ].join('\n'),
}
