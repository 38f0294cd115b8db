import { DECLINED, defineModule, type MaybePromise, type Module, type Outcome, type Request } from '@gatewright/api'
import { http2StreamOf, tlsValueOf } from '@gatewright/api/peers'
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
  register({ hooks, functions, configOf, services, log }) {
    const load = new ServerLoad(() => services.status())
    const host = {
      log,
      load,
      tlsValue: (request: Request, name: string) => functions.get(tlsValueOf)?.(request, name) ?? '',
    }
    const responses = new Responses(host, (request) => (functions.get(http2StreamOf)?.(request) ?? null) !== null)

    // Early rules exist only at server level, where lists are short, so they usually do not wait.
    const changeEarly = (request: Request): MaybePromise<Outcome> => {
      const { early } = configOf(request)
      if (early.request.length + early.always.length + early.onSuccess.length === 0) return DECLINED
      const changing = changeRequestFields(request, early.request, host)
      return changing instanceof Promise ? changing.then(() => changeResponse(request)) : changeResponse(request)
    }
    const changeResponse = (request: Request): MaybePromise<Outcome> => {
      const { early } = configOf(request)
      const changing = changeResponseFields(request, request.errHeadersOut, early.always, host)
      const changeOthers = (): MaybePromise<void> => changeResponseFields(request, request.headersOut, early.onSuccess, host)
      return declined(changing instanceof Promise ? changing.then(changeOthers) : changeOthers())
    }
    const changeRequest = (request: Request): MaybePromise<Outcome> =>
      // A sub-request shares the fields of its main request, for which the rules are applied separately.
      request.main === null ? declined(changeRequestFields(request, configOf(request).request, host)) : DECLINED

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

function declined(changing: MaybePromise<void>): MaybePromise<Outcome> {
  return changing instanceof Promise ? changing.then(() => DECLINED) : DECLINED
}

export default headers
