import t from 'tap'
import { manualPage } from '../../src/package/manual-page.ts'

const page = (text: string): string =>
  manualPage(text, { name: 'gw-tool', section: 1, version: '1', commands: new Map([['tool', 'gw-tool']]) })

t.test('the first sentence describes the program, without links and code', async (t) => {
  t.match(page('# tool\n\nManages `users` in [files](x.md). More.\n'), '.SH NAME\ngw\\-tool \\- Manages users in files\n')
})

t.test('headings, lists, code and tables become requests of man', async (t) => {
  const text = page(
    '# tool\n\n## Use it\n\n- a **b**\n  c\n\n```\n.x\n```\n\n| A | B |\n| - | - |\n| `-x` | y |\n| z | `a|b` |\n',
  )
  t.match(text, '.SH "Use it"\n.IP \\(bu 2\na \\fBb\\fR c\n')
  t.match(text, '.nf\n\\&.x\n.fi')
  t.match(text, '.TP\n\\fB\\fB\\-x\\fB\\fR\ny\n')
})

t.test('code that begins with a program names the command that is installed, prose and other words do not', async (t) => {
  const text = page('# tool\n\nThe tool runs `bin/tool -x`, not `toolbox`.\n\n```\ntool FILE\n```\n')
  t.match(text, 'The tool runs \\fBgw\\-tool \\-x\\fR, not \\fBtoolbox\\fR.')
  t.match(text, '.nf\ngw\\-tool FILE\n.fi')
})
