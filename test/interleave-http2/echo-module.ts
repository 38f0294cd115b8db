import { DECLINED, defineModule, type Module, type Request } from '@gatewright/api'

/** Bytes of a response in parts. */
const PART = 3001
const PARTS = 12

/** Handler `echo`: sends back what it received, in the way that the query string names. */
export const echo: Module = defineModule({
  name: 'echo_module',
  source: 'mod_echo_test.c',
  register({ hooks }) {
    hooks.handler.add(async (request) => {
      if (request.handler !== 'echo') return DECLINED
      request.contentType = 'text/plain'
      const { args } = request
      if (args === 'unread') return request.respond(described(request))
      if (args === 'mirror') return request.respond(mirrored(request))
      if (args === 'parts')
        return request.respond({ [Symbol.asyncIterator]: () => parts(request), trailers: () => [['X-Sum', '42']] })
      if (args === 'late') for (let turns = 0; turns < 5; turns++) await turn()
      let body = ''
      for await (const chunk of request.readBody()) body += Buffer.from(chunk).toString('latin1')
      return request.respond(`${described(request)}${body.length} ${body}`)
    })
  },
})

function described({ method, uri, args, headersIn }: Request): string {
  return `${method} ${uri} ${args} ${headersIn.get('x-id')} ${headersIn.get('cookie')}\n`
}

async function* mirrored(request: Request): AsyncGenerator<Uint8Array | string> {
  yield described(request)
  for await (const chunk of request.readBody()) yield Uint8Array.from(chunk)
}

async function* parts(request: Request): AsyncGenerator<string> {
  for await (const _ of request.readBody()) await turn()
  for (let part = 0; part < PARTS; part++) {
    if (part % 3 === 0) await turn()
    yield String.fromCharCode(65 + part).repeat(PART)
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
