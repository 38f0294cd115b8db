import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../modules/mod_authz_core/src/index.ts'
import proxy from '../modules/mod_proxy/src/index.ts'
import proxyHttp2 from '../modules/mod_proxy_http2/src/index.ts'
import { freePort } from './fixtures/free-port.ts'
import { foreground, isInstalled } from './probes/servers/foreground.ts'

/** Files of the back ends: more than one frame, and more than the windows that connections begin with. */
const SIZES: readonly number[] = [0, 1, 1024, 20_000, 300_000]

/** Requests, and how many of them are sent at a time: more than the back ends permit on one connection. */
const REQUESTS = 240
const AT_A_TIME = 30

/** A back end of somebody else, which permits 8 requests at a time on a connection. */
interface Other {
  readonly program: string
  command(folder: string, port: number): readonly string[]
}

const NGHTTPD: Other = {
  program: 'nghttpd',
  command: (folder, port) => [
    ...['nghttpd', '--no-tls', '--address=127.0.0.1', '--max-concurrent-streams=8'],
    ...[`--htdocs=${join(folder, 'docs')}`, String(port)],
  ],
}

const NGINX: Other = {
  program: 'nginx',
  command: (folder, port) => {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path "${folder}/${name}";`)
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off;\npid "${folder}/nginx.pid";\nerror_log "${folder}/error_log";\nevents { }\nhttp {\n${temporary.join('\n')}\n` +
        `access_log off;\nhttp2_max_concurrent_streams 8;\n` +
        `server { listen 127.0.0.1:${port} http2; root "${folder}/docs"; }\n}\n`,
    )
    return ['nginx', '-p', folder, '-e', join(folder, 'error_log'), '-c', join(folder, 'nginx.conf')]
  },
}

for (const { program, command } of [NGHTTPD, NGINX]) {
  const skip = isInstalled(program) ? false : `${program} is not installed`
  t.test(`requests at the same time get their own files of ${program} by connections that they share`, { skip }, async (t) => {
    const folder = t.testdir()
    // The worker of nginx is another user.
    for (const path of [folder, join(folder, 'docs')]) {
      mkdirSync(path, { recursive: true })
      chmodSync(path, 0o755)
    }
    for (const size of SIZES) writeFileSync(join(folder, 'docs', `${size}.txt`), String(size % 10).repeat(size))
    const port = await freePort()
    const back = await foreground(command(folder, port), port)
    t.teardown(() => back.stop())
    const server = await site({ modules: [authzCore, proxy, proxyHttp2], config: `ProxyPass / h2c://127.0.0.1:${port}/` })
    t.teardown(() => server.close())
    const wrong: string[] = []
    let next = 0
    const client = async (): Promise<void> => {
      while (next < REQUESTS) {
        const number = next++
        const size = SIZES[number % SIZES.length]
        const { status, body } = await server.inject(`/${size}.txt?${number}`)
        if (status !== 200 || body !== String(size % 10).repeat(size))
          wrong.push(`${number}: ${status} with ${body.length} bytes`)
      }
    }
    await Promise.all(Array.from({ length: AT_A_TIME }, client))
    t.same(wrong, [])
    t.same(server.errors(), [])
  })
}
