import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import * as fixtures from './fixtures.ts'

/** Unpacks a fixture. */
export function unpack(fixture: string): Buffer {
  return brotliDecompressSync(Buffer.from(fixture, 'base64'))
}

/** One DBM of each kind that can be read, written below a directory; the name is that of the fixture. */
export function writeFixtures(directory: string): Record<string, { path: string; type: string }> {
  const at = (name: string): string => join(directory, name)
  writeFileSync(at('sdbm.dir'), unpack(fixtures.sdbmDirectory))
  writeFileSync(at('sdbm.pag'), unpack(fixtures.sdbmPages))
  writeFileSync(at('gdbm'), unpack(fixtures.gdbm))
  writeFileSync(at('gdbmExtended'), unpack(fixtures.gdbmExtended))
  writeFileSync(at('berkeley'), unpack(fixtures.berkeley))
  writeFileSync(at('berkeleyBigEndian'), unpack(fixtures.berkeleyBigEndian))
  writeFileSync(at('berkeleySmallPages'), unpack(fixtures.berkeleySmallPages))
  return {
    sdbm: { path: at('sdbm'), type: 'SDBM' },
    gdbm: { path: at('gdbm'), type: 'GDBM' },
    gdbmExtended: { path: at('gdbmExtended'), type: 'GDBM' },
    berkeley: { path: at('berkeley'), type: 'DB' },
    berkeleyBigEndian: { path: at('berkeleyBigEndian'), type: 'DB' },
    berkeleySmallPages: { path: at('berkeleySmallPages'), type: 'DB' },
  }
}
