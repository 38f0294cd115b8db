import { createReadStream, readdirSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { StagedServer } from '../fixtures/staged-server.ts'
import { HABITS } from '../load/habits.ts'
import { IdSet } from '../load/id-set.ts'

const STATUS_OF: ReadonlyMap<string, number> = new Map(
  Object.values(HABITS).map(({ resource }) => [resource.path, resource.status ?? 200]),
)
const LINE = /^(?:GET|POST) ([^ ?]+)\?(\d+) HTTP\/1\.1 (\d{3})$/
/** Levels that are never used for faults of clients or actions of operators. */
const GRAVE = /^\[[^\]]*\] \[[a-z_]+:(?:emerg|alert|crit)\] /
const DENIED = ' AH01630: '
/** The maximum number of kept lines. */
const KEPT = 20

/** Reads logs that nobody writes to any more, a piece at a time, and removes them: a run of hours needs no more room than one of minutes. */
export class LogAudit {
  readonly logged: IdSet = new IdSet()
  readonly doubled: number[] = []
  /** Lines of the access log that are invalid, or have a status that their resource never has. */
  readonly strange: string[] = []
  readonly grave: string[] = []
  lines = 0
  /** 403 answers in the access log, and denials in the error log. */
  denials = { answered: 0, told: 0 }
  readonly #server: StagedServer

  constructor(server: StagedServer) {
    this.#server = server
  }

  /** @param suffix of the renamed logs; '' for those of a server that has ended */
  async read(suffix: string): Promise<void> {
    const [access, errors] = ['access_log', 'error_log'].map((name) => this.#server.path(`logs/${name}${suffix}`))
    for await (const line of createInterface({ input: createReadStream(access, 'latin1') })) this.#access(line)
    for await (const line of createInterface({ input: createReadStream(errors, 'latin1') })) this.#error(line)
    for (const file of [access, errors]) rmSync(file)
  }

  /** The logs that have not been read. */
  unread(): string[] {
    return readdirSync(this.#server.path('logs')).filter((name) => /^(access|error)_log/.test(name))
  }

  #access(line: string): void {
    const [, path, id, status] = LINE.exec(line) ?? []
    this.lines++
    if (path === undefined || STATUS_OF.get(path) !== Number(status)) keep(this.strange, line)
    if (status === '403') this.denials.answered++
    if (!this.logged.add(Number(id ?? 0))) this.doubled.push(Number(id))
  }

  #error(line: string): void {
    if (line.includes(DENIED)) this.denials.told++
    if (GRAVE.test(line)) keep(this.grave, line)
  }
}

function keep(lines: string[], line: string): void {
  if (lines.length < KEPT) lines.push(line)
}
