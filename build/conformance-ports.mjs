import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { ROOT } from './inputs.cjs'

/** The suite counts bytes of responses that contain the port, so all ports have four digits. */
const LOWEST = 2000
const HIGHEST = 9999
const ATTEMPTS = 200

/**
 * Finds the first of `count` consecutive free ports, at random, so that concurrent runs of the suite do not
 * collide.
 * @throws {Error} if there are none
 */
export async function freePorts(count) {
  const named = namedPorts()
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const first = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST - count))
    const row = Array.from({ length: count }, (_, index) => first + index)
    if (row.some((port) => named.has(port))) continue
    const free = await Promise.all(row.map(isFree))
    if (free.every(Boolean)) return first
  }
  throw new Error(`no ${count} free ports in a row between ${LOWEST} and ${HIGHEST}`)
}

/** The ports that cases name, as ServerName does: in answers, those of the servers become `@PORT@`. */
function namedPorts() {
  const files = globSync('test/conformance/cases/**/*.case.json', { cwd: ROOT })
  const texts = files.map((file) => readFileSync(join(ROOT, file), 'latin1'))
  return new Set(texts.flatMap((text) => [...text.matchAll(/:(\d{4})\b/g)].map(([, port]) => Number(port))))
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}
