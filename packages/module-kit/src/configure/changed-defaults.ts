import { GONE_SINCE_2_2, namedModules } from './line-of-httpd.ts'
import { SELECTIONS } from './module-classes.ts'
import type { ConfigureWord } from './words.ts'

/** A setting that a recorded command does not specify and for which 2.2 had a different default. */
export interface ChangedDefault {
  readonly topic: string
  readonly old: string
  readonly new: string
  /** Option that restores the former behaviour; absent if there is none. */
  readonly restoredBy?: string
}

/**
 * Lists the settings whose result differs when a command recorded by 2.2 is run again. Settings that the
 * command specifies do not change.
 */
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
