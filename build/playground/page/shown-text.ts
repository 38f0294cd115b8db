import { element } from './element.ts'

/** Files of the case, to which places in a text lead. */
export interface Places {
  /** The path of a file as a text names it; null if it is not in the list. */
  find(shown: string): string | null
  open(path: string, line: number): void
}

const CLASSES: Readonly<Record<string, string>> = { 32: 'good', 31: 'bad', 33: 'waiting', 2: 'faint', 1: 'strong' }

/** A text for terminals, line by line: its colours become classes, and `file:line` a button that shows the line. */
export function shownText(text: string, places: Places): Node[] {
  return text.split('\n').map((line) => {
    const [, indent = '', rest = ''] = /^( *)(.*)$/.exec(line) ?? []
    const step = Math.min(indent.length - (indent.length % 2), DEEPEST)
    const shown = element('span', { class: step === 0 ? 'line' : `line in${step}` }, ...coloured(rest, places))
    // For a copy as text.
    shown.append('\n')
    return shown
  })
}

/** The deepest indentation that the style sheet knows. */
const DEEPEST = 20

function coloured(line: string, places: Places): Node[] {
  const nodes: Node[] = []
  let kind: string | undefined
  for (const [index, part] of line.split(COLOUR).entries()) {
    if (index % 2 === 1) {
      kind = CLASSES[part]
      continue
    }
    const inner = withPlaces(part, places)
    if (kind === undefined) nodes.push(...inner)
    else nodes.push(element('span', { class: kind }, ...inner))
  }
  return nodes
}

const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`)
/** Tried at the beginning of a word only: in a long one without a colon, the time would grow with the cube of its length. */
const PLACE = /(?<![^\s:()"])([^\s:()"]+):(\d+)/g

function withPlaces(text: string, places: Places): Node[] {
  const nodes: Node[] = []
  let from = 0
  for (const match of text.matchAll(PLACE)) {
    const path = places.find(match[1])
    if (path === null) continue
    nodes.push(document.createTextNode(text.slice(from, match.index)), placeButton(match[0], path, Number(match[2]), places))
    from = match.index + match[0].length
  }
  nodes.push(document.createTextNode(text.slice(from)))
  return nodes
}

/** A button that shows a line of a file. */
export function placeButton(shown: string, path: string, line: number, places: Places): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'place' }, shown)
  button.addEventListener('click', () => places.open(path, line))
  return button
}
