import { GONE_SINCE_2_2, namedModules } from './line-of-httpd.ts'
import { SELECTIONS } from './module-classes.ts'
import type { ConfigureWord } from './words.ts'

/** Something that a recorded command leaves open, and that 2.2 decided otherwise. */
export interface ChangedDefault {
  readonly topic: string
  readonly old: string
  readonly new: string
  /** Option that makes it as it was; absent where nothing does. */
  readonly restoredBy?: string
}

/** What comes out differently when a command that was recorded by 2.2 is given again: where it says what it wants, nothing changes. */
export function changedDefaults(words: readonly ConfigureWord[]): ChangedDefault[] {
  const says = (kind: ConfigureWord['kind'], name: string): boolean =>
    words.some((word) => word.kind === kind && word.name === name)
  const lists = words.filter((word) => word.kind === 'feature' && ['modules', 'mods_shared', 'mods_static'].includes(word.name))
  const selects = lists.some((word) => 'value' in word && SELECTIONS.some((name) => word.value.split(/[\s,]+/).includes(name)))
  const changes: ChangedDefault[] = []
  if (lists.length === 0)
    changes.push({
      topic: 'modules not listed as shared or static',
      old: 'static',
      new: 'shared, with LoadModule lines',
      restoredBy: '--enable-mods-static=few',
    })
  if (!selects) changes.push({ topic: 'modules that are built by default', old: 'the default class', new: 'most' })
  if (!says('feature', 'so')) changes.push({ topic: 'mod_so', old: 'only on request', new: 'always' })
  if (!says('feature', 'load_all_modules'))
    changes.push({
      topic: 'LoadModule lines of the installed httpd.conf',
      old: 'one active line for each shared module',
      new: 'active for class few, the others commented out',
      restoredBy: '--enable-load-all-modules',
    })
  if (!says('package', 'mpm')) changes.push({ topic: 'process model', old: 'prefork', new: 'event, built in' })
  const named = namedModules(words)
  for (const [name, successor] of GONE_SINCE_2_2)
    if (named.includes(name)) changes.push({ topic: `mod_${name}`, old: 'a module', new: successor })
  return changes
}
