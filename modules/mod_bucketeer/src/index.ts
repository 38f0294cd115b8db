import { defineModule, FILTER_RANK, type Module } from '@gatewright/api'
import { type Rewriter, rewriteBody } from '@gatewright/filters'

/** Ctrl-B ends a bucket, Ctrl-P a brigade, Ctrl-F flushes. None of them is sent. */
const MARKS: ReadonlySet<number> = new Set([0x02, 0x10, 0x06])

/** BUCKETEER: sends text in the parts that control characters mark, for tests of filters. */
const bucketeer: Module = defineModule({
  name: 'bucketeer_module',
  source: 'mod_bucketeer.c',
  register({ providers }) {
    providers.outputFilters.add('BUCKETEER', {
      name: 'BUCKETEER',
      // Before the filters of content, so that they get the parts.
      rank: FILTER_RANK.resource - 1,
      filter: (request, body) =>
        request.contentType?.startsWith('text/') === true ? rewriteBody(request, body, new Parts()) : body,
    })
  },
})
export default bucketeer

class Parts implements Rewriter {
  *push(piece: Uint8Array): Generator<Uint8Array> {
    let from = 0
    for (let at = 0; at < piece.length; at++) {
      if (!MARKS.has(piece[at])) continue
      yield Uint8Array.from(piece.subarray(from, at))
      from = at + 1
    }
    yield Uint8Array.from(piece.subarray(from))
  }

  *end(): Generator<Uint8Array> {}
}
