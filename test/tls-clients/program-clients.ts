import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ClientsSite, PASSWORD, USER } from './clients-site.ts'
import { runClient } from './run-client.ts'
import type { TlsClient } from './tls-client.ts'
import type { Answer, Visit } from './visits.ts'

/*
 * Programs of ours that use the client of a language. They read a visit from each line of standard input, with fields between tabs:
 * URL, version, certificate file, key file, user and password. They print status and body in base64 for each; no status is 0.
 */

const PROGRAMS = join(import.meta.dirname, 'programs')

const GO: TlsClient = {
  name: 'Go net/http',
  needs: [['go']],
  packages: 'golang-go',
  visitAll: async (visits, site) => {
    const folder = scratch(site, 'go')
    const program = join(folder, 'fetch')
    // Go's cache is kept: without it, the standard library is compiled for minutes.
    const env = { GO111MODULE: 'off', GOFLAGS: '' }
    const built = await runClient('go', ['build', '-o', program, join(PROGRAMS, 'fetch.go')], { env })
    if (built.status !== 0) throw new Error(`go build: ${built.stderr}`)
    return answersOf(await runClient(program, [site.authority], { input: linesFor(visits, site) }), visits)
  },
}

export const PROGRAM_CLIENTS: readonly TlsClient[] = [
  GO,
  javaClient('Java HttpsURLConnection', 'connection'),
  javaClient('Java HttpClient', 'client'),
]

function javaClient(name: string, mode: 'connection' | 'client'): TlsClient {
  return {
    name,
    needs: [['java']],
    packages: 'default-jdk-headless',
    visitAll: async (visits, site) => {
      const words = [join(PROGRAMS, 'Fetch.java'), mode, site.authority]
      return answersOf(await runClient('java', words, { input: linesFor(visits, site) }), visits)
    },
  }
}

function scratch(site: ClientsSite, name: string): string {
  const folder = site.server.path(`scratch/${name}`)
  mkdirSync(folder, { recursive: true })
  return folder
}

function linesFor(visits: readonly Visit[], { certificates }: ClientsSite): string {
  return visits
    .map(({ url, version, certificate, withPassword }) => {
      const files = certificate === null ? ['', ''] : [certificates[certificate].certificate, certificates[certificate].key]
      return `${[url, version, ...files, ...(withPassword ? [USER, PASSWORD] : ['', ''])].join('\t')}\n`
    })
    .join('')
}

function answersOf(run: { readonly stdout: string; readonly stderr: string }, visits: readonly Visit[]): readonly Answer[] {
  const lines = run.stdout.split('\n').slice(0, -1)
  if (lines.length !== visits.length)
    throw new Error(`${lines.length} answers of ${visits.length}:\n${run.stderr.slice(0, 4000)}`)
  return lines.map((line) => {
    const [status, body = ''] = line.split(' ')
    return {
      status: status === '0' ? null : Number(status),
      body: status === '200' ? Buffer.from(body, 'base64').toString('latin1') : '',
    }
  })
}
