import { ConfigureError } from './configure-error.ts'

/** Process models of httpd on Unix. Whichever is asked for, the server's own takes its place. */
const PROCESS_MODELS = ['event', 'worker', 'prefork']

/** What is said of process models: values of `--with-mpm` and `--enable-mpms-shared`. */
export interface ProcessModels {
  readonly model: string | undefined
  readonly shared: string | undefined
}

/**
 * Checks what is said of process models as httpd does.
 * @throws ConfigureError with httpd's words
 */
export function chooseProcessModel(models: ProcessModels): void {
  const wrong = whatIsWrong(models)
  if (wrong !== undefined) throw wrong
}

/** Words that take back what a recorded command says of process models that only a patched httpd has, such as itk; none where there is nothing to take back. */
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

/** @throws ConfigureError when it is no port */
export function choosePort(value: string | undefined, option: string, standard: number): number {
  if (value === undefined || value === 'yes' || value === 'no') return standard
  const port = /^\d{1,5}$/.test(value) ? Number(value) : 0
  if (port < 1 || port > 65535) throw new ConfigureError(`${option} is not a port: ${value}`, 'use a number from 1 to 65535')
  return port
}

/** Name of the server's program. @throws ConfigureError when it cannot be the name of a file */
export function chooseProgram(value: string | undefined): string {
  if (value === undefined || value === 'yes' || value === 'no') return 'httpd'
  if (!/^[\w.-]+$/.test(value) || value.startsWith('.') || value.startsWith('-'))
    throw new ConfigureError(`--with-program-name cannot be ${value}`, 'use letters, digits, ., - and _')
  return value
}
