import t from 'tap'
import { type HttpdLine, recognizeLine } from '../../src/configure/line-of-httpd.ts'

/** Lists of `--enable-mods-shared`, and the line of httpd whose configure accepts them. */
const LISTS: readonly (readonly [list: string, line: HttpdLine | undefined])[] = [
  ['all', undefined],
  ['all ssl', undefined],
  ['all mem-cache', '2.2'],
  ['all,disk_cache', '2.2'],
  ['most authn-alias', '2.2'],
  ['reallyall disk-cache', '2.4'],
]

for (const [list, line] of LISTS) {
  t.test(`--enable-mods-shared="${list}" ${line === undefined ? 'does not say its line' : `is of ${line}`}`, async (t) => {
    t.equal(recognizeLine([{ kind: 'feature', name: 'mods_shared', value: list, text: `--enable-mods-shared=${list}` }]), line)
  })
}
