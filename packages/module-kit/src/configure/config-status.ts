import type { FolderPaths } from './layout.ts'

/** Number of the form below; another one is not understood. */
export const STATUS_FORM = 1

/** What configure decided: the build and the installation read it. Plain data. */
export interface ConfigStatus {
  readonly form: typeof STATUS_FORM
  /** Name of the server's program and of its configuration file, `httpd`. */
  readonly program: string
  readonly layout: string
  readonly folders: FolderPaths
  /** Names without `mod_`, in build order. */
  readonly shared: readonly string[]
  readonly static: readonly string[]
  readonly loadAllModules: boolean
  readonly port: number
  readonly sslPort: number
  /** CC, CFLAGS and their like as they were given: apxs -q answers them. */
  readonly variables: Readonly<Record<string, string>>
}

/** @throws Error when the text is not of this form */
export function readConfigStatus(text: string): ConfigStatus {
  const data: unknown = JSON.parse(text)
  if (typeof data !== 'object' || data === null || !('form' in data) || data.form !== STATUS_FORM)
    throw new Error('it was written by a different version of configure')
  // Written by configure of this form.
  return data as ConfigStatus
}
