import { answeringServerText } from '../answering-server.ts'
import { placeTextBelow } from '../place-text.ts'
import type { Palette } from '../render/palette.ts'
import { visible } from '../render/visible.ts'
import type { Matrix } from './matrix.ts'

/**
 * A matrix for people: a line for each row, a status for each client.
 * @param folder paths below it are shown relative to it
 */
export function matrixText(matrix: Matrix, palette: Palette, folder: string): string {
  const { clients, rows, answeredBy, left } = visible(matrix)
  const names = rows.map(({ title, count }) => (count === 1 ? title : `${title} (${count})`))
  const wide = Math.max(...names.map(({ length }) => length), 0)
  const cell = (text: string, index: number): string => text.padStart(Math.max(clients[index].title.length, 3))
  const head = `${' '.repeat(wide)}  ${clients.map(({ title }, index) => cell(title, index)).join('  ')}`
  return [
    palette.strong(head.trimEnd()),
    ...rows.map(({ answers, isExposed }, index) => {
      const cells = answers.map(({ status }, column) =>
        palette[isExposed && status < 300 ? 'bad' : colourOf(status)](cell(String(status), column)),
      )
      return `${names[index].padEnd(wide)}  ${cells.join('  ')}`
    }),
    ...(answeredBy === null ? [] : [palette.faint(`answered by ${answeringServerText(answeredBy, placeTextBelow(folder))}`)]),
    ...(left === 0 ? [] : [palette.bad(`${left} more paths were not requested`)]),
    '',
  ].join('\n')
}

function colourOf(status: number): keyof Palette {
  if (status < 300) return 'good'
  if (status === 401) return 'waiting'
  return status === 403 || status >= 500 ? 'bad' : 'faint'
}
