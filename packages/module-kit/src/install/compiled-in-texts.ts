import { inBuildOrder } from '../configure/selection.ts'

/** The text that stands for the command line's list of modules: it imports those that are compiled in, in build order. */
export function compiledInText(modules: readonly string[], sourceOf: (name: string) => string): string {
  return [
    ...modules.map((name, index) => `import module${index} from ${JSON.stringify(sourceOf(name))}`),
    `export const COMPILED_IN = [${modules.map((_, index) => `module${index}`).join(', ')}]`,
    '',
  ].join('\n')
}

/** The same for what -l prints: core's own stand where httpd lists them. */
export function compiledInNamesText(modules: readonly string[]): string {
  return `export const COMPILED_IN_NAMES = ${JSON.stringify(compiledInNames(modules))}\n`
}

/** Source names of all modules that have no file. */
export function compiledInNames(modules: readonly string[]): string[] {
  const sources = inBuildOrder([...modules, 'so', 'http']).map((name) => (name === 'http' ? 'http_core.c' : `mod_${name}.c`))
  return ['core.c', ...sources, 'event.c']
}

/** The same for the places of an installation. */
export function layoutText(layout: object): string {
  return `export const LAYOUT = ${JSON.stringify(layout)}\n`
}
