import type { PolicyServer } from '../policy-server.ts'
import { checkedAccessFiles } from '../site/checked-access-files.ts'
import type { ConfigFiles } from '../site/config-files.ts'
import type { RefusedLine } from './refused-line.ts'

/**
 * Lines of .htaccess files that the server would answer with 500. Such files are read when a request reaches
 * them.
 */
export function accessFileMistakes(server: PolicyServer, files: ConfigFiles): RefusedLine[] {
  const texts = files.paths.map((path) => [path, files.text(path) ?? ''] as const)
  return [...checkedAccessFiles(server, texts)].flatMap(({ mistakes }) =>
    mistakes.flatMap(({ file, line, message, hint = null }) => {
      const text = files.text(file)?.split('\n')[line - 1]?.trim()
      return text === undefined ? [] : [{ file, line, text, message, hint }]
    }),
  )
}
