import { DECLINED, OK, type Outcome, type Request } from '@gatewright/api'
import { parseAcceptList } from './accept-list.ts'
import { withoutX } from './judge.ts'

/** Names the content coding as the client does: `gzip` and `x-gzip` are the same coding. */
export function nameCoding(request: Request): Outcome {
  const { contentEncoding } = request
  if (contentEncoding === null || contentEncoding === '') return DECLINED
  const accepted = parseAcceptList(request.headersIn.get('accept-encoding'))
  if (accepted === null) return DECLINED
  const coding = withoutX(contentEncoding)
  const named = accepted.find(({ name }) => name === coding) ?? accepted.findLast(({ name }) => name === `x-${coding}`)
  if (named === undefined) return DECLINED
  request.contentEncoding = named.name
  return OK
}
