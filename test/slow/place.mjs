import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Contestant } from '../bench/contestant.mjs'
import { apache2 } from '../bench/servers/apache2.mjs'
import { gatewright } from '../bench/servers/gatewright.mjs'
import { nginx } from '../bench/servers/nginx.mjs'
import { scratchFolder, writeDocuments } from '../bench/site.mjs'

const SERVERS = [gatewright, apache2, nginx]

/**
 * Additional configuration for these measurements: for httpd its default number of threads, and its module
 * against slow clients.
 */
const SCENARIO = {
  name: 'slow',
  title: 'slow clients',
  httpd: {
    directory: ['Require all granted'],
    modules: ['reqtimeout'],
    server: ['ServerLimit 16', 'ThreadsPerChild 25', 'MinSpareThreads 75', 'MaxSpareThreads 250', 'MaxRequestWorkers 400'],
  },
  nginx: { location: [] },
  visits: [],
}

/**
 * Starts the servers that are installed among those wanted, on one core, with one site; calls `use` with them, and ends them.
 * @param {{ servers: readonly string[], core: number, descriptors?: number, signal: AbortSignal, prepare?: (docs: string) => void }} how
 */
export async function withServers({ servers, core, descriptors, signal, prepare }, use) {
  const scratch = scratchFolder()
  const running = []
  try {
    const docs = writeDocuments(scratch, SCENARIO)
    prepare?.(docs)
    for (const server of SERVERS.filter(({ name }) => servers.includes(name))) {
      if (server.isInstalled())
        running.push(
          await Contestant.start(server, SCENARIO, { root: join(scratch, server.name), docs, core, descriptors, signal }),
        )
      else console.error(`without ${server.name}, which is not installed`)
    }
    await use(running)
  } finally {
    for (const one of running) await one.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

export const SERVER_NAMES = SERVERS.map(({ name }) => name).join()
