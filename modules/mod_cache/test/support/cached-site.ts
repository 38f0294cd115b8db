import { DECLINED, defineModule, httpStatus, OK, type Request } from '@gatewright/api'
import type { TestServer } from '@gatewright/core'
import { site } from '@gatewright/testing'
import type { Test } from 'tap'
import authBasic from '../../../mod_auth_basic/src/index.ts'
import authnCore from '../../../mod_authn_core/src/index.ts'
import authnFile from '../../../mod_authn_file/src/index.ts'
import authzCore from '../../../mod_authz_core/src/index.ts'
import authzHost from '../../../mod_authz_host/src/index.ts'
import authzUser from '../../../mod_authz_user/src/index.ts'
import cacheDisk from '../../../mod_cache_disk/src/index.ts'
import deflate from '../../../mod_deflate/src/index.ts'
import dir from '../../../mod_dir/src/index.ts'
import headers from '../../../mod_headers/src/index.ts'
import cache from '../../src/index.ts'

/** What the origin answers; `asked` counts its requests. */
export interface Origin {
  asked: number
  status: number
  fields: Record<string, string>
  body: (request: Request) => string | AsyncIterable<string>
}

type Fields = Record<string, string>
interface Asked {
  readonly method?: string
  readonly remoteAddress?: string
}

/** The server, its origin, the folder of its storage, and ways to ask it. */
export interface CachedSite {
  readonly server: TestServer
  readonly origin: Origin
  readonly store: string
  readonly get: (target: string, fields?: Fields, asked?: Asked) => ReturnType<TestServer['inject']>
  /** The outcome that X-Cache names, or the status, and the body. */
  readonly seen: (target: string, fields?: Fields, asked?: Asked) => Promise<string>
}

/** A server with a cache in front of an origin at `/origin` and of files. */
export async function cachedSite(t: Test, config: string, files: Fields = {}): Promise<CachedSite> {
  const origin: Origin = {
    asked: 0,
    status: 200,
    fields: { 'Cache-Control': 'max-age=600' },
    body: () => `answer ${origin.asked}`,
  }
  const originModule = defineModule({
    name: 'origin_module',
    source: 'mod_origin.c',
    register({ hooks }) {
      hooks.handler.add((request) => {
        if (request.handler !== 'origin') return DECLINED
        origin.asked++
        request.contentType = 'text/plain'
        for (const [name, value] of Object.entries(origin.fields)) request.headersOut.set(name, value)
        if (origin.status === 599) return httpStatus(500)
        request.status = origin.status
        if (request.status === 200 && request.meetsConditions() !== OK) {
          request.status = 304
          return request.respond('')
        }
        return request.respond(origin.body(request))
      })
    },
  })
  const store = t.testdir({})
  const lines = [`CacheRoot "${store}"`, 'CacheHeader on', '<Location /origin>', 'SetHandler origin', '</Location>', config].join(
    '\n',
  )
  const modules = [
    authzCore,
    authzHost,
    authzUser,
    authnCore,
    authnFile,
    authBasic,
    headers,
    deflate,
    dir,
    cache,
    cacheDisk,
    originModule,
  ]
  const server = await site({ modules, config: lines, files: { 'docs/f.txt': 'file\n', ...files } })
  t.teardown(() => server.close())
  const get: CachedSite['get'] = (target, fields = {}, asked = {}) => server.inject({ target, headers: fields, ...asked })
  const seen: CachedSite['seen'] = async (target, fields, asked) => {
    const answer = await get(target, fields, asked)
    return `${answer.header('X-Cache')?.split(' ')[0] ?? answer.status} ${answer.body}`.trim()
  }
  return { server, origin, get, seen, store }
}
