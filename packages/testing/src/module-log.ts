import type { TestServer } from '@gatewright/core'

const LINE =
  /^\[[^\]]*\] \[(\w+):(\w+)\] \[pid [^\]]*\] (?:\S+\.c\(\d+\): )?(\(\d+\)[^[]*: )?(?:\[(?:client|remote) [^\]]*\] )?(.*)$/

/**
 * The lines of one module in the error log, each as `LEVEL TEXT`, without time, process, source file and
 * client.
 */
export function moduleLog(server: Pick<TestServer, 'errors'>, module: string): string[] {
  return server.errors().flatMap((line) => {
    const [, name, level, cause = '', text] = LINE.exec(line) ?? []
    return name === module ? [`${level} ${cause}${text}`] : []
  })
}
