import { DECLINED, defineModule, type Module } from '@gatewright/api'
import { type DirConfig, mergeDirConfig } from './config.ts'
import { directives } from './directives.ts'
import { tryFallback } from './fallback.ts'
import { serveDirectory } from './serve-directory.ts'

const dir: Module<DirConfig> = defineModule({
  name: 'dir_module',
  source: 'mod_dir.c',
  perDirectory: { create: () => ({}), merge: mergeDirConfig },
  directives,
  register({ hooks, configOf }) {
    hooks.fixups.add(
      (request) => {
        if (request.fileInfo === null) return request.handler === null ? tryFallback(request, configOf(request)) : DECLINED
        return request.fileInfo.kind === 'directory' ? serveDirectory(request, configOf(request)) : DECLINED
      },
      { rank: 'last' },
    )
  },
})
export default dir
