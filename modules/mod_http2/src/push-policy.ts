import type { Request } from '@gatewright/api'
import type { Http2Stream } from '@gatewright/api/peers'

/** Applies H2Push, and the field Accept-Push-Policy of the client. */
export function choosePushes(request: Request, stream: Http2Stream, isOn: boolean): void {
  const policy = request.headersIn.get('accept-push-policy')?.trim().toLowerCase()
  stream.setPushes(isOn && policy !== 'none', policy === 'head' ? 'head' : 'default')
}
