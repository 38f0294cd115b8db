import { type AnyModule, defineModule, type Request } from '@gatewright/api'

/** A module that keeps the requests of a server in the order in which they are logged. */
export interface RequestRecorder {
  readonly module: AnyModule
  readonly requests: readonly Request[]
  /** The last recorded request, as the client sent it. @throws Error if there was none */
  readonly last: Request
}

/** For tests that inspect how phases change a request, in addition to its response. */
export function requestRecorder(): RequestRecorder {
  const requests: Request[] = []
  const module = defineModule({
    name: 'request_recorder_module',
    source: 'mod_request_recorder.c',
    register({ hooks }) {
      hooks.logTransaction.add((request) => void requests.push(request))
    },
  })
  return {
    module,
    requests,
    get last() {
      const found = requests.at(-1)
      if (found === undefined) throw new Error('no request was logged')
      return found
    },
  }
}
