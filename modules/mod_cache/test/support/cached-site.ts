import { DECLINED, defineModule, httpStatus, OK, type Request } from '@gatewright/api'
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

/** A server with a cache in front of an origin at `/origin` and of files. */
export async function cachedSite(t: Test, config: string, files: Record<string, string> = {}) {
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
  const get = (
    target: string,
    fields: Record<string, string> = {},
    more: { readonly method?: string; readonly remoteAddress?: string } = {},
  ) => server.inject({ target, headers: fields, ...more })
  /** The outcome that X-Cache names, and the body. */
  const seen = async (
    target: string,
    fields: Record<string, string> = {},
    more: { readonly method?: string; readonly remoteAddress?: string } = {},
  ) => {
    const answer = await get(target, fields, more)
    return `${answer.header('X-Cache')?.split(' ')[0] ?? answer.status} ${answer.body}`.trim()
  }
  return { server, origin, get, seen, store }
}
