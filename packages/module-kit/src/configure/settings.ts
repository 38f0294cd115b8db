import { ConfigureError } from './configure-error.ts'

/** Process models of httpd on Unix. The server uses its own process model instead of any of them. */
const PROCESS_MODELS = ['event', 'worker', 'prefork']

/** Options that select process models: values of `--with-mpm` and `--enable-mpms-shared`. */
export interface ProcessModels {
  readonly model: string | undefined
  readonly shared: string | undefined
}

/**
 * Checks options that select process models as httpd does.
 * @throws ConfigureError with httpd's text
 */
export function chooseProcessModel(models: ProcessModels): void {
  const wrong = whatIsWrong(models)
  if (wrong !== undefined) throw wrong
}

/**
 * Words that undo a recorded selection of a process model that only a patched httpd has, such as itk; empty
 * if there is none.
 */
export function replacedModels(models: ProcessModels): string[] {
  if (whatIsWrong(models) === undefined) return []
  return ['--with-mpm=event', ...(models.shared === undefined ? [] : ['--disable-mpms-shared'])]
}

function whatIsWrong({ model, shared }: ProcessModels): ConfigureError | undefined {
  const chosen = model === undefined || model === 'yes' ? 'event' : model.toLowerCase()
  if (!PROCESS_MODELS.includes(chosen))
    return new ConfigureError(`MPM ${chosen} is not supported on this platform.`, `choose one of ${PROCESS_MODELS.join(', ')}`)
  const list = shared?.split(/[\s,]+/).filter((name) => name !== '') ?? []
  if (list.length === 0 || ['no', 'yes', 'all'].includes(list.join(' '))) return undefined
  const stranger = list.find((name) => !PROCESS_MODELS.includes(name))
  if (stranger !== undefined)
    return new ConfigureError(`MPM ${stranger} is not supported on this platform.`, `choose one of ${PROCESS_MODELS.join(', ')}`)
  if (!list.includes(chosen))
    return new ConfigureError(
      `The default MPM (${chosen}) must be included in --enable-mpms-shared.  Use --with-mpm to change the default MPM.`,
      'the server always uses the built-in process model; remove --enable-mpms-shared',
    )
  return undefined
}

/** @throws ConfigureError if it is not a port */
export function choosePort(value: string | undefined, option: string, standard: number): number {
  if (value === undefined || value === 'yes' || value === 'no') return standard
  const port = /^\d{1,5}$/.test(value) ? Number(value) : 0
  if (port < 1 || port > 65535) throw new ConfigureError(`${option} is not a port: ${value}`, 'use a number from 1 to 65535')
  return port
}

/** Name of the server program. @throws ConfigureError if it cannot be a file name */
export function chooseProgram(value: string | undefined): string {
  if (value === undefined || value === 'yes' || value === 'no') return 'httpd'
  if (!/^[\w.-]+$/.test(value) || value.startsWith('.') || value.startsWith('-'))
    throw new ConfigureError(`--with-program-name cannot be ${value}`, 'use letters, digits, ., - and _')
  return value
}
