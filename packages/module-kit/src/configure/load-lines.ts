import { HTTPD_MODULES } from './module-classes.ts'

export interface LoadLines {
  /** Modules that have a file of their own, in build order. */
  readonly shared: readonly string[]
  /** `--enable-load-all-modules` */
  readonly active: 'class few' | 'all'
  /** Folder of the modules as written in the configuration. */
  readonly folder: string
}

/**
 * The LoadModule lines of the installed httpd.conf. Lines for modules that nearly every site needs are
 * active; the others are commented out, whether or not they were selected by name.
 */
export function loadLines({ shared, active, folder }: LoadLines): string[] {
  return shared.map((name) => {
    const line = `LoadModule ${name}_module ${folder}/mod_${name}.mjs`
    return active === 'all' || isLoadedByDefault(name) ? line : `#${line}`
  })
}

export function isLoadedByDefault(name: string): boolean {
  return HTTPD_MODULES.get(name) === 'few'
}
