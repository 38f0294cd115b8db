import { rmSync, writeFileSync } from 'node:fs'

/** Changes some bytes, more of them at the start, where the tables are; now and then cuts the file. */
export function damage(file: Buffer, random: (limit: number) => number): Buffer {
  const copy = Buffer.from(file)
  if (copy.length === 0) return Buffer.from([random(256)])
  for (let count = 1 + random(20); count > 0; count--) {
    const at = random(3) === 0 ? random(Math.min(copy.length, 300)) : random(copy.length)
    copy[at] = [copy[at] ^ (1 << random(8)), 0, 0xff, random(256)][random(4)]
  }
  return random(10) === 0 ? copy.subarray(0, random(copy.length)) : copy
}

/** Writes a new file: some file systems bring one that was cut and written again to the disk at once. */
export function rewrite(path: string, bytes: Buffer): void {
  rmSync(path, { force: true })
  writeFileSync(path, bytes)
}
