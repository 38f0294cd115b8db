import { contexts, defineModule, directive, type Module } from '@gatewright/api'
import { MagicFiles, type MimeMagicServer } from './magic-files.ts'
import { TypeFinder } from './type-finder.ts'

/** Finds the types of files that have none by what they contain. */
const mimeMagic: Module<undefined, MimeMagicServer> = defineModule({
  name: 'mime_magic_module',
  source: 'mod_mime_magic.c',
  capabilities: ['fs'],
  perServer: { create: () => ({}), merge: (base, over) => ({ file: over.file ?? base.file }) },
  directives: {
    MimeMagicFile: directive.take1<MimeMagicServer>({
      scope: 'server',
      context: contexts.inServers,
      help: 'Path to MIME Magic file (in file(1) format)',
      set: (config, path, command) => {
        config.file = command.serverRelative(path)
      },
    }),
  },
  register({ hooks, serverConfigOf, log }) {
    const files = new MagicFiles(serverConfigOf, log)
    const finder = new TypeFinder(files, log)
    hooks.postConfig.add(({ servers }) => files.read(servers))
    hooks.typeChecker.add((request) => finder.find(request), { rank: 'last' })
  },
})
export default mimeMagic
