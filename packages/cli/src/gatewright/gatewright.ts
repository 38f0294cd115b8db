import { print } from '../startup-output.ts'

/** The verbs of the tool. Each is loaded only when it is needed. */
const VERBS: Readonly<Record<string, { readonly about: string; run(argv: readonly string[]): Promise<number> }>> = {
  audit: {
    about:
      'summarise a day of access decisions: who was refused where, which rules never matched, which grants rest on an address',
    run: async (argv) => (await import('./audit.ts')).runAudit(argv),
  },
  balancer: {
    about: 'show the balancers of the running server; drain, disable, enable and change their members',
    run: async (argv) => (await import('./balancer.ts')).runBalancer(argv),
  },
  check: {
    about: 'test a tree of .htaccess files against expectations, or show who can reach what',
    run: async (argv) => (await import('./check.ts')).runCheck(argv),
  },
  config: {
    about: 'convert configuration files to data, and back to text byte for byte',
    run: async (argv) => (await import('./config.ts')).runConfig(argv),
  },
  diff: {
    about: 'show which decisions a change of a configuration changes, and for whom: as text, data or Markdown',
    run: async (argv) => (await import('./diff.ts')).runDiff(argv),
  },
  explain: {
    about:
      'explain an answer: the virtual host, the lines that changed the request, the result of each rule, and what would change it',
    run: async (argv) => (await import('./explain.ts')).runExplain(argv),
  },
  'give-back': {
    about: 'end the server of a take-over, and start the other one again',
    run: async (argv) => (await import('./take-over.ts')).runGiveBack(argv),
  },
  lint: {
    about: 'find access rules without the effect that they suggest, each with a request as evidence',
    run: async (argv) => (await import('./lint.ts')).runLint(argv),
  },
  'local-cert': {
    about: 'make a certificate for development, and an authority that signs it',
    run: async (argv) => (await import('./local-cert.ts')).runLocalCert(argv),
  },
  lsp: {
    about: 'serve an editor: completion, manual, checks and "Who can get here?" (Language Server Protocol)',
    // main.ts starts it from a file of its own.
    run: () => Promise.resolve(2),
  },
  migrate: {
    about: 'rewrite a 2.2 configuration or a folder of .htaccess files for 2.4, with a proof that the decisions are the same',
    run: async (argv) => (await import('./migrate.ts')).runMigrate(argv),
  },
  module: {
    about: 'show what a module file contains, and whether this server would load it',
    run: async (argv) => (await import('./module.ts')).runModule(argv),
  },
  prove: {
    about: 'compare two configurations: they decide every request the same way, or a request shows the difference',
    run: async (argv) => (await import('./prove.ts')).runProve(argv),
  },
  rebuild: {
    about: 'build and install this server again, with additional options of configure',
    run: async (argv) => (await import('./rebuild.ts')).runRebuild(argv),
  },
  'take-over': {
    about: 'serve the configuration of a running Apache httpd in its place',
    run: async (argv) => (await import('./take-over.ts')).runTakeOver(argv),
  },
  'upgrade-report': {
    about: 'report what a configuration needs before it runs on 2.4, as text, data or a page',
    run: async (argv) => (await import('./upgrade-report.ts')).runUpgradeReport(argv),
  },
  who: {
    about: 'show who gets an answer: a table of users and addresses with the status of each',
    run: async (argv) => (await import('./who.ts')).runWho(argv),
  },
}

/**
 * The command line of `gatewright`, which answers questions about configurations and modules. @returns the
 * exit status
 */
export async function gatewright(argv: readonly string[]): Promise<number> {
  const [verb = '', ...rest] = argv
  const found = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
  if (found !== undefined) return found.run(rest)
  const asked = verb === '--help' || verb === '-h' || verb === 'help'
  if (!asked && verb !== '') print(2, `gatewright: no such verb: ${verb}`)
  print(asked ? 1 : 2, usage())
  return asked ? 0 : 2
}

const WIDTH = Math.max(...Object.keys(VERBS).map(({ length }) => length))

function usage(): string {
  return [
    'Usage: gatewright VERB [OPTION]...',
    '',
    ...Object.entries(VERBS).map(([verb, { about }]) => `  ${verb.padEnd(WIDTH)} ${about}`),
    '',
    'Run gatewright VERB --help for details.',
  ].join('\n')
}
