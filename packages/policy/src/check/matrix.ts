import { isSuccess } from '@gatewright/core'
import { type AnsweringServer, answeringServer } from '../answering-server.ts'
import type { PolicyServer, Reply } from '../policy-server.ts'
import { type Answer, answerOf } from './answer.ts'
import { questionOf } from './check.ts'
import { ANY_HOST, type ExpectedRequest } from './expectation.ts'
import { type MatrixClient, matrixClients } from './matrix-clients.ts'
import { type AnsweredPath, matrixRows } from './matrix-rows.ts'
import { accessTexts } from './tree-entries.ts'
import { type TreePath, treePaths } from './tree-paths.ts'

/** The answers to different kinds of clients, for every path of a tree. */
export interface Matrix {
  readonly clients: readonly MatrixClient[]
  readonly rows: readonly MatrixRow[]
  /** The virtual host that answers for all of them. */
  readonly answeredBy: AnsweringServer | null
  /** Paths that were not requested because there are too many. */
  readonly left: number
}

/** Paths with the same answers. */
export interface MatrixRow {
  readonly title: string
  /** One of them. */
  readonly target: string
  readonly count: number
  /** Files with names that begin with .ht that some client receives, although servers normally deny them. */
  readonly isExposed: boolean
  /** One for each client, in their order. */
  readonly answers: readonly Answer[]
}

/** Requests that are decided at most. */
const MOST_QUESTIONS = 40_000
/** The limit for paths, regardless of the number of clients. */
const MOST_PATHS = 10_000

export interface MatrixOptions {
  /** The document root. */
  readonly folder: string
  /** Files of the configuration around the tree, by path, one character for each byte. */
  readonly texts: ReadonlyMap<string, string>
}

/** Requests everything in a document root as each kind of client that the rules distinguish. */
export async function matrix(server: PolicyServer, { folder, texts }: MatrixOptions): Promise<Matrix> {
  const { root, left } = treePaths(folder, MOST_PATHS)
  const clients = matrixClients(new Map([...texts, ...accessTexts(folder).texts]))
  let budget = Math.floor(MOST_QUESTIONS / clients.length)
  let unasked = left
  let answeredBy: AnsweringServer | null = null
  const answered = async ({ url, files, htFiles, folders }: TreePath): Promise<AnsweredPath[]> => {
    if (budget-- <= 0) {
      unasked++
      return []
    }
    const answers: Answer[] = []
    for (const client of clients) {
      const { response, record } = await ask(server, matrixRequest(url, client))
      answers.push(answerOf(response))
      const [main] = record.requests
      if (main !== undefined) answeredBy ??= answeringServer(main.request)
    }
    const below = async (paths: readonly TreePath[]): Promise<AnsweredPath[]> => {
      const all: AnsweredPath[] = []
      for (const path of paths) all.push(...(await answered(path)))
      return all
    }
    // Files that no client receives are omitted.
    const exposed = (await below(htFiles)).filter((path) => path.answers.some(({ status }) => isSuccess(status)))
    return [{ url, answers, files: await below(files), htFiles: exposed, folders: await below(folders) }]
  }
  const [top] = await answered(root)
  return { clients, rows: top === undefined ? [] : matrixRows(top), answeredBy, left: unasked }
}

/** The request of a cell. */
export function matrixRequest(target: string, { client, user }: MatrixClient): ExpectedRequest {
  return {
    method: 'GET',
    target,
    host: ANY_HOST,
    port: null,
    isPortWritten: false,
    client,
    credentials: user === null ? null : { user, password: null },
    headers: [],
  }
}

function ask(server: PolicyServer, request: ExpectedRequest): Promise<Reply> {
  const asked = questionOf(request, server)
  if ('complaint' in asked) throw new Error(`a request without a port has a complaint: ${asked.complaint}`)
  return server.ask(asked.question)
}
