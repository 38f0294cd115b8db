import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { markedBytes } from './marked-file.mjs'

const NEAR = 24

/**
 * Reads the whole file with some clients at once, at full speed. @returns {Promise<{ right: number,
 * mebibytesPerSecond: number }>} the number of correct copies
 */
export async function readWhole(port, path, digest, clients) {
  const began = performance.now()
  const all = await Promise.all(Array.from({ length: clients }, () => ask(port, path, { keepsBody: false })))
  const bytes = all.reduce((sum, { length }) => sum + length, 0)
  return {
    right: all.filter((answer) => answer.status === 200 && answer.digest === digest).length,
    mebibytesPerSecond: bytes / 2 ** 20 / ((performance.now() - began) / 1000),
  }
}

/**
 * Requests the head, and ranges around the limits of 32-bit numbers. @returns {Promise<string[]>} the wrong
 * answers
 */
export async function checkOffsets(port, path, size) {
  const wrong = []
  const expect = (what, holds) => {
    if (!holds) wrong.push(what)
  }
  const head = await ask(port, path, { method: 'HEAD' })
  expect('HEAD', head.status === 200 && head.headers['content-length'] === String(size) && head.length === 0)
  for (const [start, end] of rangesNear(size)) {
    const range = `${start}-${end - 1}`
    const answer = await ask(port, path, { headers: { Range: `bytes=${range}` } })
    expect(range, answer.status === 206 && answer.headers['content-range'] === `bytes ${range}/${size}`)
    expect(`bytes of ${range}`, answer.body.equals(markedBytes(size, start, end)))
  }
  const last = markedBytes(size, size - NEAR, size)
  for (const range of [`-${NEAR}`, `${size - NEAR}-`, `${size - NEAR}-${2 ** 53}`]) {
    const answer = await ask(port, path, { headers: { Range: `bytes=${range}` } })
    expect(range, answer.status === 206 && answer.body.equals(last))
  }
  const beyond = await ask(port, path, { headers: { Range: `bytes=${size}-` } })
  expect('a range behind the end', beyond.status === 416)
  const several = rangesNear(size).map(([start, end]) => `${start}-${end - 1}`)
  const parts = await ask(port, path, { headers: { Range: `bytes=${several.join()}` } })
  expect('several ranges', parts.status === 206 && parts.headers['content-length'] === String(parts.length))
  for (const [start, end] of rangesNear(size))
    expect(
      `the part ${start}-${end - 1}`,
      parts.body.includes(Buffer.concat([Buffer.from('\r\n\r\n'), markedBytes(size, start, end)])),
    )
  return wrong
}

function rangesNear(size) {
  const places = [2 ** 31, 2 ** 32].filter((place) => place + NEAR < size)
  return [0, ...places].map((place) => [Math.max(0, place - NEAR), place + NEAR])
}

function ask(port, path, { method = 'GET', headers = {}, keepsBody = true }) {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers: { ...headers, Connection: 'close' } }, (answer) => {
      const chunks = []
      const hash = createHash('sha1')
      let length = 0
      answer.on('data', (chunk) => {
        length += chunk.length
        if (keepsBody) chunks.push(chunk)
        else hash.update(chunk)
      })
      answer.on('end', () =>
        resolve({
          status: answer.statusCode,
          headers: answer.headers,
          length,
          body: Buffer.concat(chunks),
          digest: hash.digest('hex'),
        }),
      )
      answer.on('error', reject)
    })
    asked.on('error', reject)
    asked.end()
  })
}
