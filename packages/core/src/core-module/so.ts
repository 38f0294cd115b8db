import { defineModule, directive, type Module } from '@gatewright/api'
import { internals } from '../config/command-impl.ts'
import { withHint } from '../config/reader.ts'
import { loadModuleFile } from '../modules/loader.ts'
import { NameTaken } from '../modules/provider-registry.ts'
import { RegisterDeadline, registerModule } from '../modules/register.ts'

/** LoadModule and LoadFile. */
export const soModule: Module<undefined, undefined> = defineModule({
  name: 'so_module',
  source: 'mod_so.c',
  directives: {
    LoadModule: directive.take2({
      scope: 'server',
      context: ['server', 'virtualhost'],
      readTime: true,
      help: "a module's identifier and the file to load it from",
      set: (_config, name, path, command) => {
        const { generation, services } = internals(command).context
        const loaded = generation.registry.find(name)
        if (loaded !== undefined && !loaded.builtIn) {
          generation.report('so', 'warn', 'AH01574', `module ${name} is already loaded, skipping`)
          return undefined
        }
        // A process model is always there; a configuration that names one of httpd's loads nothing.
        if (/^mpm_(event|worker|prefork)_module$/.test(name)) {
          generation.report('so', 'info', '', `${name} is not loaded: the built-in process model is used`)
          return undefined
        }
        // Nor does one that names httpd's shared caches: mod_authn_socache keeps what it knows itself.
        if (/^socache_(shmcb|dbm|memcache|redis)_module$/.test(name)) {
          generation.report('so', 'info', '', `${name} is not loaded: modules keep their caches themselves`)
          return undefined
        }
        if (loaded !== undefined && loaded.module.source === `mod_${name.replace(/_module$/, '')}.c`) {
          return withHint(
            `module ${name} is built-in and can't be loaded`,
            'take the line out: the module is a part of this server',
          )
        }
        const resolved = generation.serverRelative(path)
        const loading = loadModuleFile(name, path, resolved, generation.options.modulesFolder).then(async (result) => {
          if ('error' in result) return result.error
          try {
            await registerModule(generation, services, result.module, { builtIn: false, file: result.file })
          } catch (error) {
            const reason = error instanceof Error ? error.message : String(error)
            return withHint(`Cannot load ${path} into server: ${result.file}: ${reason}`, registerHint(error))
          }
          generation.report('so', 'debug', 'AH01575', `loaded module ${name} from ${result.file}`)
          return undefined
        })
        generation.requestEffect({ kind: 'wait', done: loading })
        return undefined
      },
    }),
    LoadFile: directive.iterate({
      scope: 'server',
      context: ['server', 'virtualhost'],
      readTime: true,
      help: 'shared libraries are not loaded by this server',
      set: (_config, path, command) => {
        const resolved = command.serverRelative(path)
        const { source } = internals(command).context.generation.options
        if (source.kind(resolved) !== 'missing') {
          command.report('warn', '', `LoadFile ${path} is ignored: modules of this server bundle what they need`)
          return undefined
        }
        // A bare name is looked for where the system has its libraries, and told as it is written.
        const shown = path.includes('/') ? resolved : path
        return withHint(
          `Cannot load ${path} into server: ${shown}: cannot open shared object file: No such file or directory`,
          'take the line out: modules of this server bundle what they need, and a library that is there would be ignored',
        )
      },
    }),
  },
})

function registerHint(error: unknown): string {
  if (error instanceof RegisterDeadline)
    return 'what its register function awaits does not come: wait for it in postConfig or childInit instead, or where a request needs it'
  return error instanceof NameTaken
    ? error.hint
    : 'the module fails while it registers itself: ask its author, or take its LoadModule line out'
}
