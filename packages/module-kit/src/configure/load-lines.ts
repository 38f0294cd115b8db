import { HTTPD_MODULES } from './module-classes.ts'

export interface LoadLines {
  /** Modules with a file of their own, in build order. */
  readonly shared: readonly string[]
  /** `--enable-load-all-modules` */
  readonly active: 'class few' | 'all'
  /** Folder of the modules as the configuration names it. */
  readonly folder: string
}

/** The LoadModule lines of the installed httpd.conf: what nearly everybody wants is active, the rest is there to be uncommented, asked for by name or not. */
export function loadLines({ shared, active, folder }: LoadLines): string[] {
  return shared.map((name) => {
    const line = `LoadModule ${name}_module ${folder}/mod_${name}.mjs`
    return active === 'all' || isLoadedByDefault(name) ? line : `#${line}`
  })
}

export function isLoadedByDefault(name: string): boolean {
  return HTTPD_MODULES.get(name) === 'few'
}
