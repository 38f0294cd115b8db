import { expectationText } from './expectation.ts'
import { type Matrix, type MatrixRow, matrixRequest } from './matrix.ts'

/**
 * The current answers as an expectations file to start from: for each row the answer to a stranger, and all
 * clients with a different answer.
 */
export function snapshotText(matrix: Matrix): string {
  const { rows, left } = matrix
  return [
    '# The current answers. Review each line: a current answer is not necessarily the intended one.',
    ...(left === 0 ? [] : [`# ${left} more paths were not requested.`]),
    ...rows.flatMap((row) => rowLines(matrix, row)),
    '',
  ].join('\n')
}

function rowLines({ clients }: Matrix, { title, target, count, answers }: MatrixRow): string[] {
  const [stranger] = answers
  const lines = clients.flatMap((client, index) => {
    const { status } = answers[index]
    if (index > 0 && status === stranger.status) return []
    return [expectationText({ request: matrixRequest(target, client), statuses: [String(status)], location: null })]
  })
  return count === 1 ? lines : [`# ${title.replace(/[\r\n]/g, ' ')}: ${count} paths with the same answer`, ...lines]
}
