import {
  ALWAYS_THERE,
  CLASS_OF_STRANGERS,
  HTTPD_MODULES,
  NOT_NEEDED,
  SELECTIONS,
  type Selection,
  selects,
} from './module-classes.ts'
import type { ConfigureWord } from './words.ts'

/** Whether a module has a file of its own or is part of the program. */
export type ModuleKind = 'shared' | 'static'

/** Modules to build: names without `mod_`, in httpd's order. */
export interface ModuleSelection {
  readonly shared: readonly string[]
  readonly static: readonly string[]
  /** Selected by name, known to httpd, and not provided here. */
  readonly missing: readonly string[]
  /** Selected by name, with a function that is built in. */
  readonly notNeeded: readonly string[]
  /** Names in lists that are not names of modules. */
  readonly unknown: readonly string[]
}

type Wish = ModuleKind | 'default' | 'no'

/** Options that take a list of modules and selections. */
const LISTS = ['modules', 'mods_shared', 'mods_static']

/**
 * The available modules that a command line selects. A later word overrides an earlier one about the same
 * module, in whatever form.
 * @param available names without `mod_` of the modules whose sources are present
 */
export function selectModules(words: readonly ConfigureWord[], available: readonly string[]): ModuleSelection {
  const names = inBuildOrder(available)
  const wishes = new Map<string, Wish>()
  let selection: Selection = 'most'
  let byDefault: ModuleKind = 'shared'
  for (const word of words) {
    if (word.kind !== 'feature') continue
    if (LISTS.includes(word.name)) {
      const kind = word.name === 'mods_static' ? 'static' : 'shared'
      for (const item of listed(word.value)) {
        const asSelection = SELECTIONS.find((name) => name === item)
        if (asSelection === undefined) wishes.set(item, kind)
        else {
          selection = asSelection
          // As in httpd, a list that contains only names does not affect other modules.
          if (word.name !== 'modules') byDefault = kind
        }
      }
    } else if (isModuleName(word.name, names)) wishes.set(word.name, wishOf(word.value))
  }
  const kindOf = (name: string): ModuleKind | undefined => {
    const wish = wishes.get(name) ?? (selects(selection, HTTPD_MODULES.get(name) ?? CLASS_OF_STRANGERS) ? 'default' : 'no')
    if (wish === 'no') return undefined
    return wish === 'default' ? byDefault : wish
  }
  const absent = [...wishes].filter(([name, wish]) => wish !== 'no' && !names.includes(name)).map(([name]) => name)
  const wished = absent.filter((name) => HTTPD_MODULES.has(name) && !ALWAYS_THERE.includes(name))
  return {
    shared: names.filter((name) => kindOf(name) === 'shared'),
    static: names.filter((name) => kindOf(name) === 'static'),
    missing: wished.filter((name) => !NOT_NEEDED.includes(name)),
    notNeeded: wished.filter((name) => NOT_NEEDED.includes(name)),
    unknown: absent.filter((name) => !isModuleName(name, names)),
  }
}

/** Modules of httpd in httpd's order, then the others by name. */
export function inBuildOrder(names: readonly string[]): string[] {
  const httpds = [...HTTPD_MODULES.keys()].filter((name) => names.includes(name))
  return [...httpds, ...names.filter((name) => !HTTPD_MODULES.has(name)).sort()]
}

/** Whether `--enable-NAME` refers to a module: one of httpd's, or one that is present. */
export function isModuleName(name: string, available: readonly string[]): boolean {
  return HTTPD_MODULES.has(name) || available.includes(name) || ALWAYS_THERE.includes(name)
}

/** An option without a list has the value `yes`; `--disable-modules` is `no`. */
function listed(value: string): string[] {
  const items = value.split(/[\s,]+/).filter((item) => item !== '')
  return items.map((item) => (item === 'yes' ? 'most' : item === 'no' ? 'none' : item.replaceAll('-', '_')))
}

function wishOf(value: string): Wish {
  if (value === 'shared' || value === 'static' || value === 'no') return value
  return 'default'
}
