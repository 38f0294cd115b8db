import { mutexTypes } from '../core-module/directives/mutex.ts'
import type { MutexSettings } from '../model/process-config.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'

const DEFAULT: MutexSettings = { mechanism: 'default', folder: null, usesFiles: false, omitsPid: false }

/** The lines of -D DUMP_RUN_CFG about mutexes, those of modules first. */
export function dumpMutexes(configuration: ServerConfiguration): readonly string[] {
  const { mutexes } = configuration.process
  const { folder, ...base } = mutexes.get('default') ?? DEFAULT
  const defaultFolder = folder ?? `${configuration.runtimeFolder.replace(/\/$/, '')}/`
  const lines = mutexTypes(configuration.registry.modules.map(({ module }) => module.name)).map((type) => {
    const own = mutexes.get(type)
    if (own === undefined) return `Mutex ${type}: using_defaults`
    return lineOf(type, own, own.folder ?? (own.usesFiles ? defaultFolder : ''))
  })
  return [...lines, lineOf('default', base, defaultFolder)]
}

function lineOf(type: string, { mechanism, omitsPid }: Omit<MutexSettings, 'folder'>, folder: string): string {
  return `Mutex ${type}: dir="${folder}" mechanism=${mechanism} ${omitsPid ? '[OmitPid]' : ''}`
}
