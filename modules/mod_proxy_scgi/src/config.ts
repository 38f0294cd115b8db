import { type DirectiveTable, directive } from '@gatewright/api'

/** What sections set: the name of a field, or false for none. */
export interface ScgiConfig {
  /** ProxySCGISendfile. */
  sendfile?: string | false
  /** ProxySCGIInternalRedirect. */
  redirect?: string | false
}

export function createScgiConfig(): ScgiConfig {
  return {}
}

export function mergeScgiConfig(base: Readonly<ScgiConfig>, over: Readonly<ScgiConfig>): ScgiConfig {
  return { sendfile: over.sendfile ?? base.sendfile, redirect: over.redirect ?? base.redirect }
}

const SECTION = { scope: 'directory', context: ['server', 'virtualhost', 'directory'] } as const

export const directives: DirectiveTable<ScgiConfig, undefined> = {
  ProxySCGISendfile: directive.take1<ScgiConfig>({
    ...SECTION,
    help: 'The name of the X-Sendfile pseudo response header or On or Off',
    set: (config, word) => void (config.sendfile = fieldOf(word, 'X-Sendfile')),
  }),
  ProxySCGIInternalRedirect: directive.take1<ScgiConfig>({
    ...SECTION,
    help: 'The name of the pseudo response header or On or Off',
    set: (config, word) => void (config.redirect = fieldOf(word, 'Location')),
  }),
}

function fieldOf(word: string, standard: string): string | false {
  if (/^on$/i.test(word)) return standard
  return /^off$/i.test(word) ? false : word
}
