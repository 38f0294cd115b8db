import { type AnyModule, DECLINED, defineModule, httpStatus, OK, type Request } from '@gatewright/api'
import { anyMethod, type InjectedResponse, type SiteOptions, site, type TestServer } from '@gatewright/testing'
import type { Test } from 'tap'
import authzCore from '../../../mod_authz_core/src/index.ts'
import alias from '../../src/index.ts'

export type Phase = 'translateName' | 'fixups'

/** Properties of a request after translation. */
export type Mapped = Pick<Request, 'filename' | 'contextPrefix' | 'contextDocumentRoot' | 'handler'> & {
  readonly forcedType: string | undefined
}

export interface AliasServer {
  readonly server: TestServer
  /** The request after translation; its URI is not normalized before. */
  mapped(uri: string, host?: string): Promise<Mapped>
  /** Runs only one phase of the module; all other requests are answered with 200 or 451. */
  ask(target: string, phase?: Phase): Promise<InjectedResponse>
}

const URI = 'X-Uri'
const PHASE = 'X-Phase'

/** A server that maps URLs only with mod_alias. */
export async function aliasServer(t: Test, config: string, files: SiteOptions['files'] = {}): Promise<AliasServer> {
  const seen: Mapped[] = []
  const phases: AnyModule = defineModule({
    name: 'phases_module',
    source: 'mod_phases.c',
    register({ hooks }) {
      hooks.translateName.add(
        (request) => {
          const { headersIn } = request
          const uri = headersIn.get(URI)
          if (uri !== undefined) request.uri = uri
          if (headersIn.get(PHASE) !== 'fixups') return DECLINED
          request.filename = `${request.server.documentRoot}${request.uri}`
          return OK
        },
        { rank: 'really-first' },
      )
      hooks.mapToStorage.add(
        ({ filename, contextPrefix, contextDocumentRoot, handler, notes }) => {
          const forcedType = notes.get('alias-forced-type')
          seen.push({ filename, contextPrefix, contextDocumentRoot, handler, forcedType })
          return DECLINED
        },
        { rank: 'really-first' },
      )
      hooks.accessChecker.add(({ headersIn }) => (headersIn.get(PHASE) === 'translateName' ? httpStatus(451) : DECLINED))
    },
  })
  const server = await site({
    modules: [phases, anyMethod, authzCore, alias],
    config: `LogLevel alias:debug\nMergeSlashes Off\n${config}`,
    files,
  })
  t.teardown(() => server.close())
  return {
    server,
    async mapped(uri, host = 'host.test') {
      seen.length = 0
      await server.inject({ target: uri.startsWith('/') ? uri : '/', headers: { Host: host, [URI]: uri } })
      const [first] = seen
      // No module maps `*`.
      return first ?? { filename: '', contextPrefix: '', contextDocumentRoot: '', handler: null, forcedType: undefined }
    },
    ask: (target, phase = 'translateName') =>
      server.inject({ target: encoded(target), headers: { Host: 'host.test', [PHASE]: phase } }),
  }
}

/** A target as clients send it, with an encoded path. The query begins after the last question mark. */
function encoded(target: string): string {
  const [, path, query] = /^(.*?)(\?\w[^?]*)?$/s.exec(target) ?? ['', target]
  const sent = path.replace(/[^\w/.:~-]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return `${sent}${query ?? ''}`
}
