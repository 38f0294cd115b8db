import streams from 'readable-stream'

export const { Duplex, PassThrough, Readable, Transform, Writable, finished, pipeline, promises } = streams

type Both = InstanceType<typeof Duplex>

/** Two streams of which each reads what the other one writes. */
export function duplexPair(): [Both, Both] {
  const first: Both = half(() => second)
  const second: Both = half(() => first)
  return [first, second]
}

function half(other: () => Both): Both {
  let taken: (() => void) | null = null
  const stream = new Duplex({
    read() {
      const done = taken
      taken = null
      done?.()
    },
    write(part: Uint8Array, _encoding: string, done: () => void) {
      if (part.length === 0) queueMicrotask(done)
      else if (other().push(part)) done()
      else wait.set(other(), done)
    },
    final(done: () => void) {
      other().on('end', done)
      other().push(null)
    },
  })
  const read = stream._read
  stream._read = (size: number): void => {
    const done = wait.get(stream)
    wait.delete(stream)
    done?.()
    Reflect.apply(read, stream, [size])
  }
  return stream
}

const wait = new Map<Both, () => void>()
