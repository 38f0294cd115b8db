// node overtaking-program.mjs URL PATH SECONDS: asks for the large URL, and for the small PATH while it arrives, on one
// connection. Prints the milliseconds from each small request to the first byte of its body, and the elapsed seconds.
import { connect } from 'node:http2'

const [url, small, seconds] = process.argv.slice(2)
const { origin, pathname } = new URL(url)
const WINDOW = 16 << 20
const session = connect(origin, { rejectUnauthorized: false, settings: { initialWindowSize: WINDOW, enablePush: false } })
await new Promise((resolve, reject) => session.once('connect', resolve).once('error', reject))
session.setLocalWindowSize(WINDOW)
const times = []
const began = performance.now()
while (performance.now() - began < Number(seconds) * 1000) await overtake()
session.destroy()
console.log(JSON.stringify({ times, elapsed: (performance.now() - began) / 1000 }))

/** One large response, and a small one that is asked for when the first data of the large one has arrived. */
async function overtake() {
  const large = session.request({ ':path': pathname })
  const isComplete = ended(large)
  await new Promise((resolve) => large.once('data', resolve))
  const asked = performance.now()
  const overtaking = session.request({ ':path': small })
  overtaking.once('data', () => times.push(performance.now() - asked))
  await ended(overtaking)
  await isComplete
}

function ended(stream) {
  return new Promise((resolve, reject) => {
    stream.on('response', (head) => {
      if (head[':status'] !== 200) reject(new Error(`status ${head[':status']}`))
    })
    stream.on('end', resolve).on('error', reject).resume()
  })
}
