import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type ClientHttp2Session, connect, constants } from 'node:http2'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Http2Tally } from './http2-tally.ts'
import { LARGE, type Resource, SLOW, SMALL, UPLOAD } from './resource.ts'

/** Asks until it is told to stop. */
export interface Http2Visitor {
  readonly name: string
  /** Resolves when the last request was answered. */
  visit(origins: Origins, tally: Http2Tally, stop: AbortSignal): Promise<void>
}

/** The ports of the same site: in the clear, and with TLS. */
export interface Origins {
  readonly plain: number
  readonly secured: number
}

/** What one run of a program asks for, in turn. */
const ASKED: readonly Resource[] = [SMALL, LARGE, SLOW, SMALL, SMALL, SLOW, SMALL, SMALL]

/** Requests that a connection of Node's client has under way. */
const AT_A_TIME = 12

/** Node's client: many streams, some of them uploads, on a connection that it keeps until GOAWAY. */
export const nodeVisitor: Http2Visitor = {
  name: 'Node',
  async visit({ plain }, tally, stop) {
    const state: { session: ClientHttp2Session | null } = { session: null }
    const open = (): ClientHttp2Session => {
      const known = state.session
      if (known !== null && !known.closed && !known.destroyed) return known
      const session = connect(`http://127.0.0.1:${plain}`)
      tally.connections++
      session.on('goaway', () => tally.goaways++)
      // Each of its streams reports the error.
      session.on('error', () => {})
      state.session = session
      return session
    }
    const client = async (first: number): Promise<void> => {
      const resources = [SMALL, SMALL, LARGE, SLOW, UPLOAD, SMALL]
      for (let turn = first; !stop.aborted; turn++) {
        const resource = resources[turn % resources.length]
        const id = tally.begin()
        for (let isOver = false; !isOver; ) {
          const outcome = await ask(open(), resource, id)
          isOver = outcome !== 'refused'
          if (outcome === 'right') tally.succeed(id)
          else if (outcome === 'refused') tally.retried++
          else tally.fail(id, `Node: ${outcome}`)
        }
      }
    }
    await Promise.all(Array.from({ length: AT_A_TIME }, (_, index) => client(index)))
    state.session?.close()
  },
}

/** Errors of a request that was never sent: its session had ended already. */
const NEVER_SENT: ReadonlySet<string> = new Set(['ERR_HTTP2_GOAWAY_SESSION', 'ERR_HTTP2_INVALID_SESSION'])

/** @returns `right`, `refused` if the request may be sent again, or what was wrong */
function ask(session: ClientHttp2Session, { path, body, upload }: Resource, id: number): Promise<string> {
  return new Promise((resolve) => {
    const head = { ':path': `${path}?${id}`, ':authority': 'localhost', ':method': upload === undefined ? 'GET' : 'POST' }
    try {
      const stream = session.request(head, { endStream: upload === undefined })
      const chunks: Buffer[] = []
      let status = 0
      let error = ''
      stream.on('response', (fields) => (status = Number(fields[':status'])))
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', (thrown: Error & { readonly code?: string }) => (error = `${thrown.code} ${thrown.message}`))
      stream.on('close', () => {
        if (status === 0 && (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM || NEVER_SENT.has(error.split(' ')[0]))) {
          return resolve('refused')
        }
        if (error !== '') return resolve(error)
        resolve(status === 200 && Buffer.concat(chunks).equals(body) ? 'right' : `status ${status}, code ${stream.rstCode}`)
      })
      if (upload !== undefined) void send(stream, upload)
    } catch (error) {
      resolve(error instanceof Error && 'code' in error && NEVER_SENT.has(String(error.code)) ? 'refused' : String(error))
    }
  })
}

async function send(
  stream: ReturnType<ClientHttp2Session['request']>,
  { piece, pieces, every }: NonNullable<Resource['upload']>,
): Promise<void> {
  for (let sent = 0; sent < pieces && !stream.destroyed; sent++) {
    stream.write(piece)
    await new Promise((resolve) => setTimeout(resolve, every))
  }
  if (!stream.destroyed) stream.end()
}

/** nghttp, which sends all its requests on one connection, and never again. */
export const nghttpVisitor: Http2Visitor = {
  name: 'nghttp',
  async visit({ secured }, tally, stop) {
    while (!stop.aborted) {
      const ids = ASKED.map(() => tally.begin())
      const urls = ASKED.map(({ path }, index) => `https://127.0.0.1:${secured}${path}?${ids[index]}`)
      tally.connections++
      const text = await outputOf('nghttp', ['-n', '-s', '-H:authority: localhost', ...urls])
      for (const [index, { path }] of ASKED.entries()) {
        const row = new RegExp(`\\s(\\d+)\\s+\\S+\\s+${path.replaceAll('.', '\\.')}\\?${ids[index]}$`, 'm').exec(text)
        if (row?.[1] === '200') tally.succeed(ids[index])
        else tally.fail(ids[index], `nghttp: ${text.slice(-2000)}`)
      }
    }
  },
}

/** curl, which asks for one resource after the other: by TLS, because curl 7.88 cannot keep other connections of HTTP/2. */
export const curlVisitor: Http2Visitor = {
  name: 'curl',
  async visit({ secured }, tally, stop) {
    while (!stop.aborted) {
      const ids = ASKED.map(() => tally.begin())
      const urls = ASKED.map(({ path }, index) => `https://127.0.0.1:${secured}${path}?${ids[index]}`)
      const form = '\n%{http_version} %{response_code} %{size_download} %{url} %{num_connects} %{errormsg}\n'
      const text = await outputOf('curl', ['-sk', '--http2', '-w', form, ...urls.flatMap((url) => [url, '-o', '/dev/null'])])
      for (const [index, { body }] of ASKED.entries()) {
        const row = text.split('\n').find((line) => line.includes(`${urls[index]} `))
        tally.connections += Number(row?.split(' ')[4] ?? 0)
        if (row?.startsWith(`2 200 ${body.length} `) === true) tally.succeed(ids[index])
        else tally.fail(ids[index], `curl: ${row ?? 'no answer'}`)
      }
    }
  },
}

/** A client of the packages hpack and hyperframe of Python, which keeps to RFC 9113 when the server leaves. */
export const pythonVisitor: Http2Visitor = {
  name: 'hyperframe',
  async visit({ plain }, tally, stop) {
    const child = spawn('/usr/bin/python3', [join(import.meta.dirname, 'http2_client.py'), String(plain)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const ended = once(child, 'close')
    stop.addEventListener('abort', () => child.stdin.end())
    const wanted = ASKED.map(({ path, body }) => `${path} ${body.length}`)
    const begun = new Map<number, number>()
    const next = (): void => {
      const id = tally.begin()
      begun.set(id, id)
      child.stdin.write(`${id} ${wanted[id % wanted.length]}\n`)
    }
    for (let count = 0; count < AT_A_TIME; count++) next()
    for await (const line of createInterface({ input: child.stdout })) {
      const [what, id, ...rest] = line.split(' ')
      if (what === 'connected') tally.connections++
      else if (what === 'goaway') tally.goaways++
      else if (what === 'retried') tally.retried++
      else {
        begun.delete(Number(id))
        if (what === 'right') tally.succeed(Number(id))
        else tally.fail(Number(id), `hyperframe: ${rest.join(' ')}`)
        if (!stop.aborted) next()
      }
    }
    await ended
    for (const id of begun.keys()) tally.fail(id, 'hyperframe: the program ended without an answer')
  },
}

/** The visitors whose programs this machine has, and the names of the others. */
export function http2Visitors(): { readonly visitors: readonly Http2Visitor[]; readonly missing: readonly string[] } {
  const programs: readonly (readonly [Http2Visitor, string, readonly string[]])[] = [
    [nghttpVisitor, 'nghttp', ['--version']],
    [curlVisitor, 'curl', ['--version']],
    [pythonVisitor, '/usr/bin/python3', ['-c', 'import hpack, hyperframe']],
  ]
  const has = ([, program, args]: (typeof programs)[number]): boolean => spawnSync(program, args).status === 0
  return {
    visitors: [nodeVisitor, ...programs.filter(has).map(([visitor]) => visitor)],
    missing: programs.filter((one) => !has(one)).map(([{ name }]) => name),
  }
}

async function outputOf(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('latin1').on('data', (part: string) => (text += part))
  await ended
  return text
}
