import { IDENTITY_SOURCE } from './identity-source.ts'
import { MASTER_SOURCE } from './master-source.ts'
import { PROCESS_SOURCE } from './process-source.ts'
import { REQUEST_SOURCE } from './request-source.ts'

const MAIN = `
if __name__ == '__main__':
    if sys.argv[1] == 'master':
        run_master()
    else:
        import atexit, hashlib, locale, site, threading, traceback, types
        run_process()
`

/**
 * The runner: one Python file, for Python 3.8 and newer. The module carries it as text, because a module is one file, and
 * writes it to the folder of its sockets at each start.
 */
export const RUNNER_SOURCE: string = MASTER_SOURCE + IDENTITY_SOURCE + PROCESS_SOURCE + REQUEST_SOURCE + MAIN
