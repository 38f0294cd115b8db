import { existsSync, readdirSync } from 'node:fs'

/** The existing path that differs only in letter case from a path that does not exist; otherwise null. */
export function namedOtherwise(path: string): string | null {
  if (existsSync(bytes(path))) return null
  let real = ''
  for (const name of path.split('/').slice(1)) {
    if (name === '') continue
    if (existsSync(bytes(`${real}/${name}`))) real = `${real}/${name}`
    else {
      const other = namesIn(real === '' ? '/' : real).find((one) => one.toLowerCase() === name.toLowerCase())
      if (other === undefined) return null
      real = `${real}/${other}`
    }
  }
  return real
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(bytes(folder), { encoding: 'latin1' })
  } catch {
    return []
  }
}

/** Paths are bytes, one character each. */
function bytes(path: string): Buffer {
  return Buffer.from(path, 'latin1')
}
