import { type AnyModule, DECLINED, defineModule } from '@gatewright/api'

/** Paths that begin with /x answer with method, user and body of the request, unless another module does. */
export const bodyEcho: AnyModule = defineModule({
  name: 'echo_module',
  source: 'mod_echo_body.c',
  register({ hooks }) {
    hooks.handler.add(
      async (request) => {
        if (!request.uri.startsWith('/x')) return DECLINED
        const chunks: Buffer[] = []
        for await (const chunk of request.readBody()) chunks.push(Buffer.from(chunk))
        const body = Buffer.concat(chunks).toString('latin1')
        return request.send('text/plain', `${request.method} ${request.user ?? '-'} [${body}]`)
      },
      { rank: 'last' },
    )
  },
})
