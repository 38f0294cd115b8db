import { DECLINED, defineModule, directive, M_GET, type Module, type Outcome, type Request } from '@gatewright/api'
import { MODEMS } from './modems.ts'

export interface DialupConfig {
  bytesPerSecond?: number
}

/** Sends files as slowly as a modem would receive them. */
const dialup: Module<DialupConfig> = defineModule({
  name: 'dialup_module',
  source: 'mod_dialup.c',
  perDirectory: {
    create: () => ({}),
    merge: (base, over) => ({ bytesPerSecond: over.bytesPerSecond ?? base.bytesPerSecond }),
  },
  directives: {
    ModemStandard: directive.take1<DialupConfig>({
      scope: 'directory',
      context: ['directory'],
      help: "Modem Standard to.. simulate. Must be one of: 'V.21', 'V.26bis', 'V.32', 'V.34', or 'V.92'",
      set: (config, standard) => {
        const rate = MODEMS.get(standard.toLowerCase())
        if (rate === undefined) return 'mod_dialup: Unknown Modem Standard specified.'
        config.bytesPerSecond = rate
        return undefined
      },
    }),
  },
  register({ hooks, configOf }) {
    const slowDown = (request: Request): Outcome => {
      const { bytesPerSecond } = configOf(request)
      const isFile = request.fileInfo?.kind === 'file' && request.handler === null
      if (bytesPerSecond !== undefined && isFile && request.main === null && request.methodNumber === M_GET)
        request.sendRate = { bytesPerSecond, burst: 0 }
      return DECLINED
    }
    hooks.handler.add(slowDown, { rank: 'first' })
  },
})
export default dialup
