/** The process that a page does not have, with the settings of a Linux machine. */
export const process = {
  argv: ['node', '/usr/local/gatewright/bin/gatewright'],
  execArgv: [],
  execPath: '/usr/bin/node',
  env: { PATH: '/usr/bin:/bin' },
  platform: 'linux',
  arch: 'x64',
  pid: 1,
  version: 'v24.0.0',
  versions: { node: '24.0.0', openssl: '3.5.0' },
  exitCode: 0,
  nextTick(act: (...values: unknown[]) => void, ...values: unknown[]): void {
    queueMicrotask(() => act(...values))
  },
  cwd: (): string => '/',
  // Not root: this page has no users.
  getuid: (): number => 1000,
  geteuid: (): number => 1000,
  getgid: (): number => 1000,
  getegid: (): number => 1000,
  getgroups: (): number[] => [1000],
  cpuUsage: () => ({ user: 0, system: 0 }),
  // The time is the page's own as well: it does nothing else in its thread.
  threadCpuUsage: () => ({ user: performance.now() * 1000, system: 0 }),
  memoryUsage: Object.assign(() => ({ rss: 0, heapUsed: 0, heapTotal: 0 }), { rss: (): number => 0 }),
  hrtime: Object.assign((): [number, number] => [Math.floor(performance.now() / 1000), 0], {
    bigint: (): bigint => BigInt(Math.round(performance.now() * 1e6)),
  }),
  uptime: (): number => performance.now() / 1000,
  emitWarning(): void {},
  on(): unknown {
    return process
  },
  once(): unknown {
    return process
  },
  off(): unknown {
    return process
  },
  removeListener(): unknown {
    return process
  },
  listenerCount: (): number => 0,
}
