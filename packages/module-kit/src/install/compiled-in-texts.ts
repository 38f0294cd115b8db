import { inBuildOrder } from '../configure/selection.ts'

/**
 * The text that replaces the program's list of modules: it imports the compiled-in modules, in build order.
 */
export function compiledInText(modules: readonly string[], sourceOf: (name: string) => string): string {
  return [
    ...modules.map((name, index) => `import module${index} from ${JSON.stringify(sourceOf(name))}`),
    `export const COMPILED_IN = [${modules.map((_, index) => `module${index}`).join(', ')}]`,
    '',
  ].join('\n')
}

/** The same for the list that -l prints: core's own names come first, as in httpd. */
export function compiledInNamesText(modules: readonly string[]): string {
  return `export const COMPILED_IN_NAMES = ${JSON.stringify(compiledInNames(modules))}\n`
}

/** Source names of all modules that do not have a file. */
export function compiledInNames(modules: readonly string[]): string[] {
  const sources = inBuildOrder([...modules, 'so', 'http']).map((name) => (name === 'http' ? 'http_core.c' : `mod_${name}.c`))
  return ['core.c', ...sources, 'event.c']
}

/** The same for the folders of an installation. */
export function layoutText(layout: object): string {
  return `export const LAYOUT = ${JSON.stringify(layout)}\n`
}
