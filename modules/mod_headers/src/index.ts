import { DECLINED, defineModule, type Module, type Outcome, type Request } from '@gatewright/api'
import { createHeadersConfig, type HeadersConfig, mergeHeadersConfig } from './config.ts'
import { directives } from './directives.ts'
import { changeRequestFields } from './request-fields.ts'
import { changeResponseFields } from './response-fields.ts'
import { Responses } from './responses.ts'
import { ServerLoad } from './server-load.ts'

const headers: Module<HeadersConfig> = defineModule({
  name: 'headers_module',
  source: 'mod_headers.c',
  perDirectory: { create: createHeadersConfig, merge: mergeHeadersConfig },
  directives,
  register({ hooks, configOf, services, log }) {
    const load = new ServerLoad(() => services.status())
    const host = { log, load }
    const responses = new Responses(host)

    const changeEarly = (request: Request): Outcome => {
      const { early } = configOf(request)
      changeRequestFields(request, early.request, host)
      if (early.always.length > 0) changeResponseFields(request, request.errHeadersOut, early.always, host)
      if (early.onSuccess.length > 0) changeResponseFields(request, request.headersOut, early.onSuccess, host)
      return DECLINED
    }
    const changeRequest = (request: Request): Outcome => {
      // A sub-request shares the fields of its main request, whose own turn comes.
      if (request.main === null) changeRequestFields(request, configOf(request).request, host)
      return DECLINED
    }

    hooks.postReadRequest.add(
      (request) => (configOf(request).readsLoad ? load.refresh().then(() => changeEarly(request)) : changeEarly(request)),
      { rank: 'first' },
    )
    hooks.fixups.add(
      (request) => (configOf(request).readsLoad ? load.refresh().then(() => changeRequest(request)) : changeRequest(request)),
      { rank: 'last' },
    )
    hooks.handler.add(
      (request) => {
        responses.begin(request, configOf(request))
        return DECLINED
      },
      { rank: 'really-first' },
    )
    hooks.fixupHeaders.add((request) => responses.finish(request, configOf(request)), { rank: 'last' })
  },
})
export default headers
