import type { FolderPaths } from './layout.ts'

/** Version of the format below; other versions are rejected. */
export const STATUS_FORM = 1

/** The decisions of configure, which the build and the installation read. Plain data. */
export interface ConfigStatus {
  readonly form: typeof STATUS_FORM
  /** Name of the server program and of its configuration file, `httpd`. */
  readonly program: string
  readonly layout: string
  readonly folders: FolderPaths
  /** Names without `mod_`, in build order. */
  readonly shared: readonly string[]
  readonly static: readonly string[]
  readonly loadAllModules: boolean
  readonly port: number
  readonly sslPort: number
  /** CC, CFLAGS and similar variables as given on the command line: apxs -q prints them. */
  readonly variables: Readonly<Record<string, string>>
}

/** @throws Error if the text does not have this format */
export function readConfigStatus(text: string): ConfigStatus {
  const data: unknown = JSON.parse(text)
  if (typeof data !== 'object' || data === null || !('form' in data) || data.form !== STATUS_FORM)
    throw new Error('it was written by a different version of configure')
  // Written by configure of this form.
  return data as ConfigStatus
}
