import type { NodeVerdict, TreeNode } from '../explanation.ts'
import type { PlaceText } from '../place-text.ts'
import type { Palette } from './palette.ts'

/** Lines of a list that are shown before the rest is counted. */
const MOST_CHILDREN = 12

/** A Require tree, one line per node: its text, its verdict, its place. */
export function treeLines(tree: TreeNode, palette: Palette, placeText: PlaceText, indent: string): string[] {
  const { sign, colour } = SIGNS[tree.verdict]
  const note = tree.otherMethods ? `${WORDS[tree.verdict]}, because it is limited to other methods` : WORDS[tree.verdict]
  const head = `${indent}${palette[colour](sign)} ${tree.title}  ${palette[colour](note)}  ${palette.faint(placeText(tree.place))}`
  return [head, ...shortened(tree.children).flatMap((child) => childLines(child, palette, placeText, `${indent}  `))]
}

function childLines(child: TreeNode | number, palette: Palette, placeText: PlaceText, indent: string): string[] {
  return typeof child === 'number'
    ? [palette.faint(`${indent}  ... ${child} more`)]
    : treeLines(child, palette, placeText, indent)
}

/** The first entries of a long list, and all deciding ones. */
function shortened(children: readonly TreeNode[]): (TreeNode | number)[] {
  if (children.length <= MOST_CHILDREN) return [...children]
  const shown = children.filter(
    (child, index) => index < MOST_CHILDREN / 2 || child.verdict === 'granted' || child.verdict === 'error',
  )
  const some = shown.slice(0, MOST_CHILDREN)
  return [...some, children.length - some.length]
}

const WORDS: Readonly<Record<NodeVerdict, string>> = {
  granted: 'granted',
  denied: 'denied',
  'needs a user': 'denied (no authenticated user yet)',
  neutral: 'neutral',
  error: 'error',
  'not asked': 'not asked',
}

const SIGNS: Readonly<Record<NodeVerdict, { readonly sign: string; readonly colour: keyof Palette }>> = {
  granted: { sign: '+', colour: 'good' },
  denied: { sign: '-', colour: 'bad' },
  'needs a user': { sign: '?', colour: 'waiting' },
  neutral: { sign: '=', colour: 'faint' },
  error: { sign: '!', colour: 'bad' },
  'not asked': { sign: '.', colour: 'faint' },
}
