import type { Request } from '@gatewright/api'
import type { Http2Stream } from '@gatewright/api/peers'

/** Sets httpd's variables of requests over HTTP/2. */
export function setEnvironment({ env }: Request, stream: Http2Stream): void {
  env.set('HTTP2', 'on')
  const pushes = stream.takesPushes ? 'on' : 'off'
  env.set('H2PUSH', pushes)
  env.set('H2_PUSH', pushes)
  const isPushed = stream.pushedOn > 0
  env.set('H2_PUSHED', isPushed ? 'PUSHED' : '')
  env.set('H2_PUSHED_ON', isPushed ? String(stream.pushedOn) : '')
  env.set('H2_STREAM_ID', String(stream.id))
  env.set('H2_STREAM_TAG', `${process.pid}-${stream.connection}-${stream.id}`)
}
