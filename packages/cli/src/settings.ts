import { API_VERSION, MODULE_MAGIC_NUMBER_MAJOR } from '@gatewright/api'
import { DEFAULT_CONFIG_FILE, DEFAULT_ROOT, ENTRY, STANDARD_FILES } from './program.ts'
import { versionLines } from './version.ts'

/**
 * The output of -V.
 * @param hasMpm false if the configuration could not be read: the process model is then unknown, as with
 *   httpd
 */
export function settingsLines(product: string, hasMpm: 'with process model' | 'without'): string[] {
  const { node, v8, uv } = process.versions
  const libraries = `Node ${node}, V8 ${v8}, libuv ${uv}`
  return [
    ...versionLines(product, ENTRY),
    `Server's Module Magic Number: ${MODULE_MAGIC_NUMBER_MAJOR}:${API_VERSION.split('.')[2]}`,
    `Server loaded:  ${libraries}`,
    `Compiled using: ${libraries}`,
    `Architecture:   ${process.arch.endsWith('64') ? '64' : '32'}-bit`,
    ...(hasMpm === 'without'
      ? ['Server MPM:     ']
      : ['Server MPM:     event', '  threaded:     no', '    forked:     yes (fixed process count)']),
    'Server compiled with....',
    ' -D AP_HAVE_RELIABLE_PIPED_LOGS',
    ` -D HTTPD_ROOT="${DEFAULT_ROOT}"`,
    ` -D DEFAULT_PIDLOG="${STANDARD_FILES.pidFile}"`,
    ` -D DEFAULT_ERRORLOG="${STANDARD_FILES.errorLog}"`,
    ` -D AP_TYPES_CONFIG_FILE="${STANDARD_FILES.typesConfig}"`,
    ` -D SERVER_CONFIG_FILE="${DEFAULT_CONFIG_FILE}"`,
  ]
}
