import { print } from '../startup-output.ts'

/** What the tool can do, by verb. What is not needed is not loaded. */
const VERBS: Readonly<Record<string, { readonly about: string; run(argv: readonly string[]): Promise<number> }>> = {
  check: {
    about: 'a document root with .htaccess files asked what is expected of it; or who gets what there',
    run: async (argv) => (await import('./check.ts')).runCheck(argv),
  },
  config: {
    about: 'configuration files as data, and back to text byte for byte',
    run: async (argv) => (await import('./config.ts')).runConfig(argv),
  },
  explain: {
    about: 'why a request is let in or kept out: which sections apply, what each rule says, what would change it',
    run: async (argv) => (await import('./explain.ts')).runExplain(argv),
  },
  lint: {
    about: 'access rules that do not do what they say, each with a request that shows it',
    run: async (argv) => (await import('./lint.ts')).runLint(argv),
  },
  migrate: {
    about: 'a configuration of 2.2, or a folder of .htaccess files, rewritten for 2.4, with a proof that it decides alike',
    run: async (argv) => (await import('./migrate.ts')).runMigrate(argv),
  },
  module: {
    about: "what a module's file holds, and whether this server would load it",
    run: async (argv) => (await import('./module.ts')).runModule(argv),
  },
  prove: {
    about: 'whether two configurations decide every request alike, or which request shows that they do not',
    run: async (argv) => (await import('./prove.ts')).runProve(argv),
  },
  rebuild: {
    about: 'this server built and installed again, with further options of configure',
    run: async (argv) => (await import('./rebuild.ts')).runRebuild(argv),
  },
  'upgrade-report': {
    about: 'what stands between a configuration and 2.4, as text, data or a page',
    run: async (argv) => (await import('./upgrade-report.ts')).runUpgradeReport(argv),
  },
}

/** The command line of `gatewright`: questions about configurations and modules, beside the server. @returns the exit status */
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
    'gatewright VERB --help tells more.',
  ].join('\n')
}
