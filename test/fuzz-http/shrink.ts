import type { Stream } from './stream.ts'

/** The shortest stream found that still shows `wanted`: whole messages are dropped, then ever smaller pieces, then cuts. */
export async function shrink(stream: Stream, wanted: (stream: Stream) => Promise<boolean>): Promise<Stream> {
  let best = stream
  const tryInstead = async (shorter: Stream): Promise<boolean> => {
    const good = await wanted(shorter)
    if (good) best = shorter
    return good
  }
  await tryInstead({ ...stream, cuts: [] })
  let end = stream.text.length
  for (const { start } of stream.messages.toReversed()) {
    await tryInstead(without(best, start, end - start))
    end = start
  }
  for (let size = best.text.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at < best.text.length; ) {
      if (!(await tryInstead(without(best, at, size)))) at += size
    }
  }
  for (const cut of best.cuts) await tryInstead({ ...best, cuts: best.cuts.filter((each) => each !== cut) })
  return best
}

function without({ text, cuts, messages }: Stream, at: number, size: number): Stream {
  const moved = cuts.map((cut) => (cut <= at ? cut : Math.max(at, cut - size)))
  return { text: text.slice(0, at) + text.slice(at + size), cuts: [...new Set(moved)], messages }
}
