import { type AnyModule, defineModule, directive, OK, type SetResult } from '@gatewright/api'
import { site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { refusal } from './support/refusal.ts'

/**
 * `<Box NAME>` opens and closes around its lines, `Item WORD` is one of them; events are recorded. A box
 * called `shut` reports an error when it is closed.
 */
function boxes(): { readonly module: AnyModule; readonly events: string[] } {
  const events: string[] = []
  const module: AnyModule = defineModule<{ open: string }>({
    name: 'boxes_module',
    source: 'mod_boxes.c',
    perDirectory: { create: () => ({ open: 'none' }), merge: (_base, over) => over },
    directives: {
      '<Box': directive.section({
        scope: 'directory',
        context: ['directory', 'htaccess'],
        override: 'AuthConfig',
        set: (config, text, command) => {
          const name = text.replace('>', '')
          const outer = config.open
          config.open = name
          events.push(`open ${name} in ${outer}`)
          return command.walkThen(['AuthConfig'], (): SetResult => {
            events.push(`close ${name} with ${config.open}`)
            config.open = outer
            return name === 'shut' ? 'Box does not shut' : undefined
          })
        },
      }),
      Item: directive.take1({
        scope: 'directory',
        context: ['directory', 'htaccess'],
        override: 'AuthConfig',
        set: (config, word) => {
          events.push(`${word} in ${config.open}`)
          return word === 'wrong' ? 'Item takes another word' : undefined
        },
      }),
      Foreign: directive.take1({
        scope: 'directory',
        context: ['directory', 'htaccess'],
        override: 'FileInfo',
        set: () => undefined,
      }),
    },
    register: ({ hooks }) => {
      hooks.accessCheckerEx.add(() => OK)
    },
  })
  return { module, events }
}

async function serve(t: Test, module: AnyModule, config: string, htaccess: string): Promise<TestServer> {
  const server = await site({
    modules: [module],
    config: `<Directory "@ROOT@/docs">\nAllowOverride All\n${config}</Directory>\n`,
    files: { 'docs/f': 'f', 'docs/.htaccess': htaccess },
  })
  t.teardown(() => server.close())
  return server
}

const NESTED = `<Box a>
  Item one
  <Limit GET>
    <Box b>
      Item two
    </Box>
  </Limit>
  Item three
</Box>
Item four
<Box empty>
</Box>
`

t.test(
  'what a container does after its lines comes before the next line, in the server files and in .htaccess files',
  async (t) => {
    const expected = [
      'open a in none',
      'one in a',
      'open b in a',
      'two in b',
      'close b with b',
      'three in a',
      'close a with a',
      'four in none',
      'open empty in none',
      'close empty with empty',
    ]
    const start = boxes()
    await serve(t, start.module, NESTED, '')
    t.strictSame(start.events, expected)
    const request = boxes()
    const server = await serve(t, request.module, '', NESTED)
    t.strictSame(request.events, [], 'nothing is read before a request asks for it')
    t.equal((await server.inject('/f')).status, 200)
    t.strictSame(request.events, expected)
  },
)

for (const [name, htaccess, message, last] of [
  ['a line of a container', '<Box a>\nItem wrong\nItem x\n</Box>\nNoSuchThing\n', 'Item takes another word', 'wrong in a'],
  [
    'a container at its end',
    '<Box a>\n<Box shut>\nItem x\n</Box>\nItem y\n</Box>\n',
    'Box does not shut',
    'close shut with shut',
  ],
  ['a line that may not stand there', '<Box a>\nForeign x\n</Box>\n', 'Foreign not allowed in <Box> context', 'open a in none'],
] as const) {
  t.test(`${name} ends the reading with its own mistake`, async (t) => {
    const { module, events } = boxes()
    const server = await serve(t, module, '', htaccess)
    t.equal((await server.inject('/f')).status, 500)
    t.match(server.errors().at(-1), new RegExp(`\\.htaccess: ${message}$`))
    t.equal(events.at(-1), last, 'no later line is handled, and no container around it is closed')
  })
}

t.test('a mistake that a container finds at its end has the line of the container', async (t) => {
  const { module } = boxes()
  const config = '<Directory />\n<Box a>\nItem x\n<Box shut>\nItem y\n</Box>\n</Box>\n</Directory>\n'
  t.match(await refusal(config, { modules: [module] }), { line: 4, message: 'Box does not shut' })
})

t.test('containers that are nested without end are a mistake', async (t) => {
  const { module } = boxes()
  const server = await serve(t, module, '', `${'<Box a>\n'.repeat(3000)}Item x\n${'</Box>\n'.repeat(3000)}`)
  t.equal((await server.inject('/f')).status, 500)
  t.match(server.errors().at(-1), /<Box> is nested more than 1000 deep/)
})
